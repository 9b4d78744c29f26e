import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { waitFor } from '../support/wait-for.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The only rule about colours, and the slowest. */
const CONTRAST = 'color-contrast'

const OPTIONS = {
  all: { runOnly: RULES },
  contrast: { runOnly: [CONTRAST] },
  /** Rules about accessible names, text alternatives and languages. */
  names: { runOnly: ['cat.name-role-value', 'cat.text-alternatives', 'cat.language'] }
}

/** The violations that axe finds on the page: each rule with the first element that breaks it. */
export async function findViolations(page: Page, rules: keyof typeof OPTIONS = 'all'): Promise<string[]> {
  if (!await page.evaluate<boolean>('"axe" in window')) await page.evaluate(axe)
  return await page.evaluate(
    `axe.run(${JSON.stringify(OPTIONS[rules])}).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`
  )
}

/** Changes the theme of an open page that follows the system from light to dark. Only its colours change. */
export async function darken(page: Page): Promise<void> {
  const background = 'getComputedStyle(document.documentElement).backgroundColor'
  const light = await page.evaluate<string>(background)
  await page.emulateMedia({ colorScheme: 'dark' })
  await waitFor('the dark theme', async () => await page.evaluate(background) !== light)
}
