import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { run } from '../run.ts'
import { FOLDER } from './camera.ts'

/** Photographs each component in its states and in both themes: one picture per component. */
export async function photographGallery(browser: Browser): Promise<void> {
  if (await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'ui/gallery', '--logLevel', 'error']) !== 0)
    throw new Error('The gallery was not built')
  const server = Fastify()
  await server.register(fastifyStatic, { root: join(process.cwd(), '.gallery') })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' })
  try {
    await page.goto(`${address}/index.html`)
    await page.locator('.gallery > section').first().waitFor()
    for (const id of await page.evaluate<string[]>("[...document.querySelectorAll('.gallery > section')].map(({ id }) => id)")) {
      // Each is alone on the page, because a picture of one component among all takes seconds.
      await page.goto(`${address}/index.html?only=${id}`)
      const path = `${FOLDER}/gallery-${id.replaceAll('/', '-')}.png`
      await page.locator(`[id="${id}"]`).screenshot({ path })
      console.log(path)
    }
  } finally {
    await page.close()
    await server.close()
  }
}
