/** Rows that a reader has chosen for an action. */
export type Selection =
  | { readonly kind: 'some'; readonly keys: ReadonlySet<string>; readonly anchor: string | null }
  /** Every row that the filter finds, those that are not loaded too, but for some. */
  | { readonly kind: 'matching'; readonly except: ReadonlySet<string>; readonly anchor: string | null }

export const NOTHING_SELECTED: Selection = { kind: 'some', keys: new Set(), anchor: null }
export const ALL_MATCHING: Selection = { kind: 'matching', except: new Set(), anchor: null }

export function isSelected(selection: Selection, key: string): boolean {
  return selection.kind === 'some' ? selection.keys.has(key) : !selection.except.has(key)
}

/** One row on or off; the next range starts from it. */
export function withToggled(selection: Selection, key: string): Selection {
  return { ...withEach(selection, [key], !isSelected(selection, key)), anchor: key }
}

/** With shift: every row from the one clicked last to this one becomes what the last one is. */
export function withRange(selection: Selection, key: string, keys: readonly string[]): Selection {
  const { anchor } = selection
  const [from, to] = [anchor === null ? -1 : keys.indexOf(anchor), keys.indexOf(key)]
  // The one clicked last can have left the list meanwhile.
  if (from === -1 || to === -1) return withToggled(selection, key)
  return withEach(selection, keys.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected(selection, anchor!))
}

/** The box in the head: every loaded row on, or everything off when they all are. */
export function withAllLoaded(selection: Selection, keys: readonly string[]): Selection {
  return markOfAll(selection, keys) === true ? NOTHING_SELECTED : withEach(selection, keys, true)
}

/** Of the box in the head; `mixed` when some of the loaded rows are chosen. */
export function markOfAll(selection: Selection, keys: readonly string[]): boolean | 'mixed' {
  const chosen = keys.filter(key => isSelected(selection, key)).length
  return chosen === 0 ? false : chosen === keys.length ? true : 'mixed'
}

/**
 * How many rows are chosen; null when that is not known.
 * @param total how many rows the filter finds; null when that is not known
 */
export function countOf(selection: Selection, total: number | null): number | null {
  if (selection.kind === 'some') return selection.keys.size
  return total === null ? null : Math.max(0, total - selection.except.size)
}

function withEach(selection: Selection, keys: readonly string[], isOn: boolean): Selection {
  const marked = new Set(selection.kind === 'some' ? selection.keys : selection.except)
  for (const key of keys) {
    if (isOn === (selection.kind === 'some')) marked.add(key)
    else marked.delete(key)
  }
  return selection.kind === 'some' ? { ...selection, keys: marked } : { ...selection, except: marked }
}
