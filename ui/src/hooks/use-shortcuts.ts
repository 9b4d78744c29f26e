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
  /** Esc, if no dialog handles it. */
  readonly close: () => void
}

/** How long `g` waits for its letter. */
const GOING_MS = 1_500

/** Single keys can be switched off, because speech input and shaky hands press them by mistake. */
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
      // Without room beside the list, a panel is modal. The keys still reach the list behind it.
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
 * Moves to the next or previous row. Rows are links, and the row with the focus is the current one. While a panel is open, the current row
 * is that of the panel, and the panel follows. If the panel leaves room for the list, the focus stays in the list.
 */
export function stepRow(by: 1 | -1): void {
  const panel = document.querySelector('dialog.panel')
  const opened = document.querySelector<HTMLAnchorElement>('[data-row-link][data-opened]')
  // The row of the panel may be missing from the list, or from the part of it that is drawn. So the list is found by its own mark.
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

/** Whether a row is below the sticky bars at the top. */
function isInSight(row: HTMLElement): boolean {
  const bars = [document.querySelector('.header'), row.closest('[role=table]')?.querySelector('[role=rowgroup]:has([role=columnheader])')]
  return row.getBoundingClientRect().top >= Math.max(...bars.map(bar => bar?.getBoundingClientRect().bottom ?? 0)) - 1
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
