import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { STEP_MS, takeWebp } from './camera.ts'

/** A wide screen in the light theme, and a phone in the dark theme. */
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 375, height: 812 }, colorScheme: 'dark' }
} as const satisfies Record<string, BrowserContextOptions>
const QUALITY = 82

/** A page in a fresh browser context. */
export interface Visit {
  readonly page: Page
  /** Writes the visible part of the page to the folder of the faults. */
  readonly take: (name: string) => Promise<void>
}

type Visitor = (script?: string) => Promise<Visit>
type Together = (work: () => Promise<void>) => Promise<void>

/** Runs the same work in every look at once. `together` waits until all of them have called it, then runs its function once. */
export async function inLooks(browser: Browser, work: (visit: Visitor, together: Together) => Promise<void>): Promise<void> {
  const together = meeting(Object.keys(LOOKS).length)
  await Promise.all(Object.entries(LOOKS).map(async ([look, context]) => {
    const opened = new Set<{ close: () => Promise<void> }>()
    try {
      await work(async script => {
        const created = await browser.newContext({ ...context, reducedMotion: 'reduce' })
        opened.add(created)
        const page = await created.newPage()
        page.setDefaultTimeout(STEP_MS)
        if (script !== undefined) await page.addInitScript(script)
        return { page, take: name => takeWebp(page, `faults/${name}-${look}`, QUALITY) }
      }, together)
    } finally {
      await Promise.all([...opened].map(each => each.close()))
    }
  }))
}

function meeting(size: number): Together {
  const waiting: (() => void)[] = []
  let result: Promise<void> = Promise.resolve()
  return async work => {
    await new Promise<void>(resolve => {
      waiting.push(resolve)
      if (waiting.length < size) return
      result = work()
      for (const go of waiting.splice(0)) go()
    })
    await result
  }
}
