import { useEffect } from 'react'
import { readPreference, usePreference, writePreference } from './use-preference.ts'

const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Before the first paint, so that a chosen theme does not flash. */
export function applyTheme(theme: Theme = toTheme(readPreference('theme'))): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function useTheme(): { theme: Theme; next: () => void } {
  const theme = toTheme(usePreference('theme'))
  useEffect(() => applyTheme(theme), [theme])
  const next = (): void => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
    // Must happen before anything is drawn again, because a canvas reads its colours while it is drawn.
    applyTheme(chosen)
    writePreference('theme', chosen)
  }
  return { theme, next }
}

/** For readers who have not chosen, the host's choice, which the server writes into the page. */
function toTheme(value: string | null): Theme {
  return find(value) ?? find(document.documentElement.dataset.defaultTheme) ?? 'system'
}

function find(value: string | null | undefined): Theme | undefined {
  return THEMES.find(theme => theme === value)
}
