import { launchChromium } from '../test/support/chromium.ts'
import { photographFaults } from './photograph/faults.ts'
import { photographGallery } from './photograph/gallery.ts'
import { photographPages } from './photograph/pages.ts'

<<<<<<< HEAD
/** `npm run photograph`: takes the README's screenshot of the demo's first page. Always ends within two minutes. */
const PICTURE = 'docs/images/dashboard.png'
/** Long enough for schedules to run, retries to fail and some runs to be skipped. */
const RUNS_FOR_MS = 40_000
const STEP_MS = 20_000
const STOP_MS = 15_000
const ALL_MS = 120_000
=======
/** `npm run photograph [pages|faults|gallery]`: the pictures of docs/images. Ends within ten minutes, whatever happens. */
const ALL_MS = 600_000
const KINDS = { pages: photographPages, faults: photographFaults, gallery: photographGallery }
>>>>>>> e474cbc (Interface: parts of other pages load when the first page has what it asked for; photographs of pages, faults and the gallery)

setTimeout(() => {
  console.error(`The photographs were not taken within ${ALL_MS / 1000} s`)
  process.exit(1)
}, ALL_MS).unref()

const [wanted] = process.argv.slice(2)
if (wanted !== undefined && !Object.hasOwn(KINDS, wanted)) throw new Error(`Not ${wanted}, but ${Object.keys(KINDS).join(', ')} or none`)

const browser = await launchChromium()
try {
  for (const [kind, photograph] of Object.entries(KINDS)) if (wanted === undefined || wanted === kind) await photograph(browser)
} finally {
<<<<<<< HEAD
  await stop(demo)
}

async function photograph(address: string): Promise<void> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 1100 }, colorScheme: 'light' })
    page.setDefaultTimeout(STEP_MS)
    // Not `networkidle`, because the page polls constantly.
    await page.goto(address, { waitUntil: 'load' })
    await page.locator('.charts canvas').nth(1).waitFor()
    await page.locator('.failures .row-link').first().waitFor()
    await page.waitForFunction("document.querySelector('.skeleton-row, .skeleton-text') === null")
    await mkdir('docs/images', { recursive: true })
    await page.screenshot({ path: PICTURE })
  } finally {
    await browser.close()
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  if (await Promise.race([ended, sleep(STOP_MS, null, { ref: false })]) === null)
    throw new Error(`The demo did not stop within ${STOP_MS / 1000} s`)
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  const found = new Promise<string>((resolve, reject) => {
    stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /Dashboard +(\S+)/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
    stdout!.once('end', () => reject(new Error(`The demo ended:\n${text}`)))
  })
  const address = await Promise.race([found, sleep(STEP_MS * 2, null, { ref: false })])
  if (address === null) throw new Error(`The demo gave no address within ${STEP_MS * 2 / 1000} s:\n${text}`)
  return address
=======
  await browser.close()
>>>>>>> e474cbc (Interface: parts of other pages load when the first page has what it asked for; photographs of pages, faults and the gallery)
}
