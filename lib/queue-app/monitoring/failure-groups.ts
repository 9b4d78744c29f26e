import { KEY_MAX_LENGTH, PRINTABLE } from '../../../schemas/limits.ts'
import type { FailureGroupPosition, ResultBackend } from '../../backend/result-backend.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Monitoring } from './monitoring.ts'

const TEXT = new RegExp(PRINTABLE, 'u')
const NEW_FOR_MS = 24 * 3_600_000

export function createFailureGroups(backend: Pick<ResultBackend, 'failureGroups'>, now: () => number): Monitoring['failureGroups'] {
  return async ({ cursor, limit = 50, ...filter }) => {
    const { groups, next, total } = await backend.failureGroups({ ...filter, limit, ...(cursor !== undefined && { after: positionFrom(cursor) }) })
    const newSince = now() - NEW_FOR_MS
    return {
      groups: groups.map(group => ({ ...group, isNew: group.firstSeenAt >= newSince })),
      nextCursor: next && cursorAfter(next),
      total
    }
  }
}

function cursorAfter({ lastSeenAt, errorGroup }: FailureGroupPosition): string {
  return Buffer.from(JSON.stringify([lastSeenAt, errorGroup])).toString('base64url')
}

/** Throws INVALID_CURSOR. */
function positionFrom(cursor: string): FailureGroupPosition {
  try {
    const [lastSeenAt, errorGroup] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(lastSeenAt) && typeof errorGroup === 'string' && isGroup(errorGroup)) return { lastSeenAt: lastSeenAt as number, errorGroup }
  } catch {
    // Answered below, as every other cursor that we did not make.
  }
  throw createTaskDashboardError('INVALID_CURSOR')
}

/** As the API takes one: text that any datastore takes. */
function isGroup(text: string): boolean {
  return text !== '' && text.length <= KEY_MAX_LENGTH && TEXT.test(text)
}
