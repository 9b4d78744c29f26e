import { MAX_KEY_LENGTH, PRINTABLE } from '../../../schemas/limits.ts'
import type { FailureGroup, FailureGroupPosition, ResultBackend } from '../../backend/result-backend.ts'
import { fromCursor, toCursor } from '../../input/cursor.ts'
import type { FailureGroupOverview, Monitoring } from './monitoring.ts'
import { ofTasks, ONLY_ITSELF, type Covered } from '../tasks/parts-of-tasks.ts'
import { DAY_MS } from '../../time/units.ts'

const TEXT = new RegExp(PRINTABLE, 'u')
const NEW_FOR_MS = DAY_MS

/**
 * @param options `isScoped`: the backend shows only some of the tasks. `covered`: the tasks whose groups are shown for a task; default:
 *   itself
 */
export function createFailureGroups(
  backend: Pick<ResultBackend, 'failureGroups'>, now: () => number,
  { isScoped = false, covered = ONLY_ITSELF }: { readonly isScoped?: boolean; readonly covered?: Covered } = {}
): Monitoring['failureGroups'] {
  return async ({ cursor, limit = 50, taskName, ...filter }) => {
    const { groups, next, total } = await backend.failureGroups({
      ...filter, limit, ...taskName !== undefined && ofTasks(taskName, covered(taskName)),
      ...(cursor !== undefined && { after: fromCursor(cursor, positionFrom) })
    })
    const nowMs = now()
    return {
      // A user who sees all tasks may also decide about a group that occurs in tasks outside the request.
      groups: groups.map(group => toFailureGroupOverview(isScoped ? group : { ...group, isShared: false }, nowMs)),
      nextCursor: next && toCursor([next.lastSeenAt, next.errorGroup]),
      total
    }
  }
}

export function toFailureGroupOverview(group: FailureGroup, nowMs: number): FailureGroupOverview {
  return { ...group, isNew: group.firstSeenAt >= nowMs - NEW_FOR_MS }
}

function positionFrom([lastSeenAt, errorGroup]: readonly unknown[]): FailureGroupPosition | null {
  const isOne = Number.isSafeInteger(lastSeenAt) && typeof errorGroup === 'string' && isGroup(errorGroup)
  return isOne ? { lastSeenAt: lastSeenAt as number, errorGroup } : null
}

/** Same rule as in the API: text that any datastore can hold. */
function isGroup(text: string): boolean {
  return text !== '' && text.length <= MAX_KEY_LENGTH && TEXT.test(text)
}
