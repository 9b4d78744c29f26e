import { chromium, type Browser } from 'playwright-core'
import { findProgram, isExecutable } from '../servers/binaries.ts'

/** Starts the machine's Chromium without a window; close it when done. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error('Chromium is not installed: apt-get install chromium')
  return chromium.launch({
    executablePath,
    // Containers have no user namespaces for Chromium's sandbox; the other switches stop it from calling home.
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'
    ]
  })
}

/** Separate from the other programs, because loading Playwright takes half a second of processor time. */
export function findChromium(): string | null {
  // Ubuntu's /usr/bin/chromium-browser only starts a snap, so there the browser is the one that `playwright-core install` downloaded.
  const downloaded = chromium.executablePath()
  const candidates = [
    isExecutable(downloaded) ? downloaded : null, ...['chromium', 'google-chrome', 'google-chrome-stable'].map(findProgram)
  ]
  return candidates.find(path => path !== null) ?? null
}

/** Chromium without its windows: the same engine, for two thirds of the processor time. Null if it is not installed. */
export function findHeadlessShell(): string | null {
  return findProgram('chromium-headless-shell')
}
