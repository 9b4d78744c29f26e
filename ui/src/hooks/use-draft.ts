import { useReducer } from 'react'

/** The oldest is forgotten. */
const MAX_DRAFTS = 20
const drafts = new Map<string, unknown>()

/**
 * Form input, kept while the page is open, so that it survives Esc, a click outside the form or a change of language.
 * The last function forgets it.
 * @param key what the form is for
 */
export function useDraft<T>(key: string, initial: () => T): readonly [T, (value: T) => void, () => void] {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const set = (value: T): void => {
    drafts.delete(key)
    drafts.set(key, value)
    for (const oldest of drafts.keys()) if (drafts.size > MAX_DRAFTS) drafts.delete(oldest)
    redraw()
  }
  const drop = (): void => {
    drafts.delete(key)
    redraw()
  }
  return [drafts.has(key) ? drafts.get(key) as T : initial(), set, drop]
}
