import { useCallback, useReducer } from 'react'
import { BEGINNING, nextMemory, type Memory, type Step } from '../format/lists/live-history.ts'

/** The state of a list. A new filter starts a new list. */
export function useListMemory<Filter>(filter: Filter): readonly [Memory, (step: Step) => void] {
  const [kept, dispatch] = useReducer(
    (
      last: { readonly filter: Filter; readonly memory: Memory },
      { of, step }: { readonly of: Filter; readonly step: Step }
    ) => {
      const before = last.filter === of ? last.memory : BEGINNING
      const memory = nextMemory(before, step)
      return memory === before && last.filter === of ? last : { filter: of, memory }
    },
    { filter, memory: BEGINNING }
  )
  const step = useCallback((made: Step) => dispatch({ of: filter, step: made }), [filter])
  return [kept.filter === filter ? kept.memory : BEGINNING, step]
}

export function isTopOfListOutOfSight(): boolean {
  return (document.querySelector('.history-section')?.getBoundingClientRect().top ?? 0) < 0
}
