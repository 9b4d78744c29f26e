/** What the searches of a server show about when its queues appeared. */
export interface QueueNewness {
  /** The last search: when it began, and the tasks of the queues that it found. Null if it was not complete. */
  readonly last: { readonly at: number; readonly taskNames: ReadonlySet<string> } | null
  /** By task, for queues that an earlier search did not find: when the last search that did not find it began. */
  readonly absentAt: ReadonlyMap<string, number>
}

export const NOT_LOOKED: QueueNewness = { last: null, absentAt: new Map() }

/** @param taskNames the queues that were known before, and those that the search has found so far */
export function newnessDuring({ last, absentAt }: QueueNewness, taskNames: readonly string[]): QueueNewness {
  const absences = taskNames.flatMap((taskName): Array<[string, number]> => {
    const absent = absentAt.get(taskName) ?? (last === null || last.taskNames.has(taskName) ? undefined : last.at)
    return absent === undefined ? [] : [[taskName, absent]]
  })
  return { last, absentAt: new Map(absences) }
}

/** @param look the search that has ended: when it began, whether it was complete, and what it found */
export function newnessAfter(
  before: QueueNewness,
  { at, isAll, taskNames }: { readonly at: number; readonly isAll: boolean; readonly taskNames: readonly string[] }
): QueueNewness {
  return { last: isAll ? { at, taskNames: new Set(taskNames) } : null, absentAt: newnessDuring(before, taskNames).absentAt }
}
