import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { run } from '../run.ts'
import { FOLDER } from './camera.ts'

/** Each component in its states, in both themes: one picture a component. */
export async function photographGallery(browser: Browser): Promise<void> {
  if (await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'ui/gallery', '--logLevel', 'error']) !== 0)
    throw new Error('The gallery was not built')
  const server = Fastify()
  await server.register(fastifyStatic, { root: join(process.cwd(), '.gallery') })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' })
  try {
    await page.goto(`${address}/index.html`)
    const sections = page.locator('.gallery > section')
    await sections.first().waitFor()
    for (const section of await sections.all()) {
      const name = (await section.getAttribute('aria-label'))!.toLowerCase().replaceAll(' ', '-')
      const path = `${FOLDER}/gallery-${name}.png`
      await section.screenshot({ path })
      console.log(path)
    }
  } finally {
    await page.close()
    await server.close()
  }
}
