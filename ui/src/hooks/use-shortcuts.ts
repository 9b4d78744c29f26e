import { useEffect } from 'react'
import { readPreference } from './use-preference.ts'

export interface Shortcuts {
  readonly palette: () => void
  readonly help: () => void
  readonly pause: () => void
  readonly search: () => void
  /** Esc, when no dialog takes it. */
  readonly close: () => void
}

/** Single keys can be switched off: speech input and shaky hands press them unasked. */
export function areSingleKeysOn(): boolean {
  return readPreference('single-keys') !== 'off'
}

export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return
      if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        shortcuts.palette()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog:modal')) return
      if (event.key === 'Escape') return shortcuts.close()
      if (isTyping(event.target) || !areSingleKeysOn()) return
      const action = { '/': shortcuts.search, '?': shortcuts.help, p: shortcuts.pause, j: () => step(1), k: () => step(-1) }[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shortcuts])
}

/** Rows are links; the one that has the focus is the current one. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? rows.find((row) => row.getBoundingClientRect().top >= 0) : rows[at + by]
  next?.focus()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
