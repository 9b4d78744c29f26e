/** Scrolls the current tab into view, because a phone has no room for all tabs. */
export function showCurrent(tabs: HTMLElement | null): void {
  const current = tabs?.querySelector('[aria-current], [aria-pressed=true]')
  if (!tabs || !current) return
  const [shown, wanted] = [tabs.getBoundingClientRect(), current.getBoundingClientRect()]
  tabs.scrollLeft += Math.max(wanted.right - shown.right, 0) + Math.min(wanted.left - shown.left, 0)
}
