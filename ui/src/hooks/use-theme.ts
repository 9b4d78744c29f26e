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
  return { theme, next: () => writePreference('theme', THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!) }
}

function toTheme(value: string | null): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system'
}
