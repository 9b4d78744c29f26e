import { chromium, type Browser } from 'playwright-core'
import { findChromium } from '../servers/binaries.ts'

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
