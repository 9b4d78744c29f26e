import { MAX_NOTE_LENGTH, PRINTABLE_LINES } from '../../../schemas/limits.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import { createTaskDashboardError, invalidInput } from '../../errors.ts'
import { confirmed } from '../../stores/failures/unavailable.ts'
import { toFailureGroupOverview } from '../monitoring/failure-groups.ts'
import type { FailureGroupOverview } from '../monitoring/monitoring.ts'
import type { FailureResolveOptions } from './operations.ts'

const TEXT = new RegExp(PRINTABLE_LINES, 'u')

/** See `Operations.resolveFailureGroup` and `Operations.reopenFailureGroup`. */
export function createDecideFailureGroup(backend: Pick<ResultBackend, 'decideFailureGroup'>) {
  return async (
    errorGroup: string, isResolved: boolean, { note, by = null, ifLastSeenAt }: FailureResolveOptions = {}
  ): Promise<FailureGroupOverview> => {
    if (ifLastSeenAt !== undefined && !Number.isSafeInteger(ifLastSeenAt))
      throw invalidInput('/ifLastSeenAt', 'must be a whole number of milliseconds')
    const decision = { isResolved, by, note: checkNote(note), ...ifLastSeenAt !== undefined && { ifSeenBefore: ifLastSeenAt + 1 } }
    const group = await confirmed(() => backend.decideFailureGroup(errorGroup, decision), 'result backend')
    if (group === null) throw createTaskDashboardError('FAILURE_GROUP_NOT_FOUND', [errorGroup])
    // It may also have failed right after it was resolved. In both cases it is not resolved.
    if (ifLastSeenAt !== undefined && group.state !== 'resolved' && group.lastSeenAt > ifLastSeenAt)
      throw createTaskDashboardError('FAILED_AGAIN', [new Date(group.lastSeenAt).toISOString()])
    return toFailureGroupOverview(group, Date.now())
  }
}

/** Null if the text has only spaces. */
function checkNote(note: string | undefined): string | null {
  if (note === undefined) return null
  const problem = typeof note !== 'string' || note.length > MAX_NOTE_LENGTH
    ? `must be text of at most ${MAX_NOTE_LENGTH} characters`
    : TEXT.test(note) ? null : 'must be printable'
  if (problem === null) return note.trim() || null
  throw invalidInput('/note', problem)
}
