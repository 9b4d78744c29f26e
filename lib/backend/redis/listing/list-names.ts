import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { durationClassOf } from '../duration-class.ts'
import type { LedgerKeys } from '../schema.ts'

/** Returns the lists that contain an execution. Create one per batch, because it caches names. */
export function createListNames(keys: LedgerKeys): (execution: FinishedListItem) => string[] {
  const ofTasks = { success: new Map<string, string[]>(), failed: new Map<string, string[]>(), cancelled: new Map<string, string[]>() }
  const ofClasses = { success: [] as string[], failed: [] as string[], cancelled: [] as string[] }
  return ({ status, taskName, durationMs, scheduleId, errorGroup, retryOf }) => {
    const durationClass = durationClassOf(durationMs)
    const ofClass = ofClasses[status][durationClass] ??= keys.byStatus(status, durationClass)
    let classesOfTask = ofTasks[status].get(taskName)
    if (classesOfTask === undefined) ofTasks[status].set(taskName, classesOfTask = [])
    const lists = [ofClass, classesOfTask[durationClass] ??= keys.byTask(status, durationClass, taskName)]
    if (scheduleId !== null) lists.push(keys.bySchedule(status, scheduleId, taskName))
    if (errorGroup !== null && status === 'failed') lists.push(keys.byGroup(errorGroup))
    if (retryOf !== null) lists.push(keys.byOrigin(retryOf))
    return lists
  }
}
