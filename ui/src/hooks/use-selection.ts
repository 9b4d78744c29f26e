import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { select } from '../format/lists/select.ts'

export interface Selection {
  readonly keys: ReadonlySet<string>
  /** With `isRange`, all rows from the one that was toggled before to this one. */
  readonly toggle: (key: string, isRange: boolean) => void
  readonly clear: () => void
}

/**
 * Which rows of a list are selected. They stay selected when they leave the list.
 * @param list identifies what the list shows: another list starts without a selection
 */
export function useSelection(order: readonly string[], most: number, list: string): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(NONE)
  const anchor = useRef<string | null>(null)
  const shown = useRef(order)
  shown.current = order
  const clear = useCallback(() => {
    anchor.current = null
    setKeys(NONE)
  }, [])
  useEffect(() => clear, [list, clear])
  const toggle = useCallback((key: string, isRange: boolean) => {
    const from = isRange ? anchor.current : null
    anchor.current = key
    setKeys(selected => select(selected, key, { order: shown.current, anchor: from, most }))
  }, [most])
  return useMemo(() => ({ keys, toggle, clear }), [keys, toggle, clear])
}

const NONE: ReadonlySet<string> = new Set()
