import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchChromium } from '../test/support/chromium.ts'

/** `npm run photograph`: takes the README's screenshot of the demo's first page. Always ends within two minutes. */
const PICTURE = 'docs/images/dashboard.png'
/** Long enough for schedules to run, retries to fail and some runs to be skipped. */
const RUNS_FOR_MS = 40_000
const STEP_MS = 20_000
const STOP_MS = 15_000
const ALL_MS = 120_000

setTimeout(() => {
  console.error(`The photograph was not taken within ${ALL_MS / 1000} s`)
  process.exit(1)
}, ALL_MS).unref()

const demo = spawn(process.execPath, ['--import', 'tsx', 'examples/demo/main.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
process.once('exit', () => demo.kill('SIGKILL'))
try {
  const address = await addressOf(demo)
  console.log(`${address} runs for ${RUNS_FOR_MS / 1000} s …`)
  await sleep(RUNS_FOR_MS)
  await photograph(address)
  console.log(PICTURE)
} finally {
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
}
