import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds on the page: each rule with the first element that breaks it. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations.map(({ id, nodes }) => ` +
      'id + ": " + nodes[0].html))'
  )
}
