import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchChromium } from '../test/support/chromium.ts'

/** `npm run photograph`: the demo's first page as the README shows it, after it has run for a while. */
const RUNS_FOR_MS = 90_000

const demo = spawn(process.execPath, ['--import', 'tsx', 'examples/demo/main.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const address = await addressOf(demo.stdout)
  await sleep(RUNS_FOR_MS)
  const browser = await launchChromium()
  const page = await browser.newPage({ viewport: { width: 1440, height: 720 }, deviceScaleFactor: 1, colorScheme: 'light' })
  await page.goto(address, { waitUntil: 'networkidle' }).catch(() => {})
  await sleep(1000)
  await mkdir('docs/images', { recursive: true })
  await page.screenshot({ path: 'docs/images/dashboard.png' })
  await browser.close()
} finally {
  demo.kill('SIGINT')
  await once(demo, 'exit')
}

function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /Dashboard +(\S+)/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
    output.once('end', () => reject(new Error(`The demo ended:\n${text}`)))
  })
}
