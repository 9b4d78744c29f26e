/** What looks at a whole server tell of when its queues appeared. */
export interface QueueNewness {
  /** The last look: when it began, and the tasks of the queues that it found. Null if it did not see all. */
  readonly last: { readonly at: number; readonly taskNames: ReadonlySet<string> } | null
  /** When a look did not find a queue that a later one has found, by its task. */
  readonly absentAt: ReadonlyMap<string, number>
}

export const NOT_LOOKED: QueueNewness = { last: null, absentAt: new Map() }

/** @param look when it began, whether it saw all, and what it found */
export function newnessAfter(
  { last, absentAt }: QueueNewness,
  { at, isAll, taskNames }: { readonly at: number; readonly isAll: boolean; readonly taskNames: readonly string[] }
): QueueNewness {
  const absences = taskNames.flatMap((taskName): Array<[string, number]> => {
    const absent = absentAt.get(taskName) ?? (last === null || last.taskNames.has(taskName) ? undefined : last.at)
    return absent === undefined ? [] : [[taskName, absent]]
  })
  return { last: isAll ? { at, taskNames: new Set(taskNames) } : null, absentAt: new Map(absences) }
}
