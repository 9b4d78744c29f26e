import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import t from 'tap'
import { build } from 'vite'
import { ROOT } from '../support/source-files.ts'
import { launchBrowser, openPage } from './browser.ts'

const folder = await mkdtemp(join(tmpdir(), 'gallery-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
await build({ configFile: join(ROOT, 'ui/gallery/vite.config.ts'), logLevel: 'error', build: { outDir: folder, emptyOutDir: true } })
const server = Fastify()
await server.register(fastifyStatic, { root: folder })
const address = await server.listen({ host: '127.0.0.1', port: 0 })
t.teardown(() => server.close())
const browser = await launchBrowser(t)

/** Elements that extend beyond the right edge of their place, unless an ancestor scrolls or clips them. */
const STANDING_OUT = `[...document.querySelectorAll('.gallery-theme')].flatMap(place => {
  const { right } = place.getBoundingClientRect()
  const isCut = element => {
    for (let each = element.parentElement; each !== place; each = each.parentElement)
      if (getComputedStyle(each).overflowX !== 'visible') return true
    return false
  }
  const out = [...place.querySelectorAll('*')].find(each => {
    const box = each.getBoundingClientRect()
    return box.width > 1 && box.right > right + 1 && !isCut(each)
  })
  return out ? [place.closest('section').id + ' ' + place.closest('[data-state]').dataset.state + ': ' + out.className] : []
})`

/** Thrown by the stories that show how the page renders a part that fails. */
const THROWN = 'A part that throws'

/** Pairs of states of a component that a reader cannot tell apart. Empty list items and ids are not visible, so they do not count. */
const ALIKE = `[...document.querySelectorAll('.gallery > section')].flatMap(section => {
  const lookOf = theme => {
    const copy = theme.cloneNode(true)
    const given = [...theme.querySelectorAll('input, textarea, select, canvas')]
    for (const [at, each] of [...copy.querySelectorAll('input, textarea, select, canvas')].entries())
      each.setAttribute('data-look', given[at].value ?? given[at].toDataURL())
    for (const each of copy.querySelectorAll('li')) if (each.innerHTML === '') each.remove()
    return copy.innerHTML.replace(/ (id|for|name|aria-(labelledby|describedby|controls|owns))="[^"]*"/g, '')
  }
  const seen = new Map()
  return [...section.querySelectorAll('[data-state]')].flatMap(story => {
    const [look, name] = [lookOf(story.querySelector('.gallery-theme')), story.querySelector('h3').innerText]
    const other = seen.get(look)
    seen.set(look, name)
    return other === undefined ? [] : [section.id + ': ' + other + ' = ' + name]
  })
})`

/**
 * Text that follows an outside text in the same paragraph, and whose direction the outside text could reverse. This is impossible if the
 * outside text has its own box or is isolated.
 */
const TURNED = `(() => {
  const found = new Set()
  const walker = document.createTreeWalker(document.querySelector('.gallery'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.includes('\\u202e') || node.parentElement.closest('option, title')) continue
    for (let each = node; ; each = each.parentElement) {
      if (each !== node) {
        const { display, unicodeBidi } = getComputedStyle(each)
        if (display !== 'inline' || unicodeBidi.startsWith('isolate') || unicodeBidi === 'plaintext') break
      }
      let next = each.nextSibling
      while (next && !next.textContent.trim()) next = next.nextSibling
      if (!next) continue
      if (next.nodeType !== Node.TEXT_NODE && getComputedStyle(next).display !== 'inline') break
      const story = each.parentElement.closest('[data-state]')
      found.add(story.parentElement.id + ' ' + story.dataset.state + ': ' + next.textContent.slice(0, 40))
      break
    }
  }
  return [...found]
})()`

for (const width of [1440, 375]) {
  t.test(`every component in every state stays in its place at ${width} pixels, and no text from outside affects the page`, async t => {
    const { page, troubles } = await openPage(t, browser, `${address}/index.html`, { viewport: { width, height: 900 } })
    await page.locator('.gallery > section').nth(100).waitFor()
    t.same(await page.getByRole('alert').filter({ hasText: 'cannot be shown', hasNotText: THROWN }).allInnerTexts(), [])
    t.same(await page.evaluate(STANDING_OUT), [])
    t.equal(await page.locator('.gallery img').count(), 0)
    if (width === 1440) {
      t.same(await page.evaluate(ALIKE), [], 'no two states of a component look the same')
      t.same(await page.evaluate(TURNED), [], 'no text from outside reverses the words after it')
    }
    t.same(troubles.filter(trouble => !trouble.includes(THROWN)), [])
  })
}
