import { useEffect, useRef } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { readPreference } from './use-preference.ts'

export interface Shortcuts {
  readonly palette: () => void
  readonly help: () => void
  readonly pause: () => void
  readonly search: () => void
  /** A letter after `g`. */
  readonly go: (key: string) => void
  /** Esc, when no dialog takes it. */
  readonly close: () => void
}

/** How long `g` waits for its letter. */
const GOING_MS = 1_500

/** Single keys can be switched off: speech input and shaky hands press them unasked. */
export function areSingleKeysOn(): boolean {
  return readPreference('single-keys') !== 'off'
}

export function useShortcuts(shortcuts: Shortcuts): void {
  const wentAt = useRef(-Infinity)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return
      if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        shortcuts.palette()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey) return
      const modal = document.querySelector('dialog:modal')
      // A panel is modal where there is no room beside the list, and the list is behind it all the same.
      if (modal && !modal.matches('.panel')) return
      if (event.key === 'Escape') return modal ? undefined : shortcuts.close()
      if (isTyping(event.target) || !areSingleKeysOn()) return
      const isGoing = !modal && event.timeStamp - wentAt.current < GOING_MS
      wentAt.current = event.key === 'g' && !isGoing ? event.timeStamp : -Infinity
      if (isGoing) return shortcuts.go(event.key)
      const rows: Record<string, () => void> = { j: () => stepRow(1), k: () => stepRow(-1) }
      const action = rows[event.key] ?? (modal ? undefined : { '/': shortcuts.search, '?': shortcuts.help, p: shortcuts.pause }[event.key])
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shortcuts])
}

/**
 * Rows are links, and the one that has the focus is the current one. While a panel is open that is the row of the panel, and the panel
 * follows. Where the panel leaves room for the list the focus stays in the list.
 */
export function stepRow(by: 1 | -1): void {
  const panel = document.querySelector('dialog.panel')
  const opened = document.querySelector<HTMLAnchorElement>('[data-row-link][data-opened]')
  // What the panel shows need not be in the list, nor in the part of it that exists: the list is known all the same.
  const list = panel ? document.querySelector('[data-panel-list]') : document
  const rows = [...list?.querySelectorAll<HTMLAnchorElement>('[data-row-link]') ?? []]
  const at = rows.indexOf((panel && opened) ?? document.activeElement as HTMLAnchorElement)
  const next = at === -1 ? rows.find(isInSight) : rows[at + by]
  if (!next) return
  next.focus()
  if (panel) {
    next.scrollIntoView({ block: 'nearest' })
    // Not a click, which would leave a step in the browser's history for each row.
    navigate(next.pathname + next.search, { replace: true })
  }
}

/** Below the sticky part at the top. */
function isInSight(row: HTMLElement): boolean {
  const bars = [document.querySelector('.header'), row.closest('[role=table]')?.querySelector('[role=rowgroup]:has([role=columnheader])')]
  return row.getBoundingClientRect().top >= Math.max(...bars.map(bar => bar?.getBoundingClientRect().bottom ?? 0)) - 1
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
