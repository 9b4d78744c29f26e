import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schedule, Session } from '../../../schemas/index.ts'
import { sessionOfTask, sessionQuery } from '../api/session.ts'
import { permits } from '../format/actions/permits.ts'
import { frameTexts } from '../texts/frame.ts'
import { scheduleTexts } from '../texts/schedules.ts'

const ACTIONS_OF_SCHEDULES = [
  'schedules:create', 'schedules:update', 'schedules:enable', 'schedules:disable', 'schedules:run', 'schedules:delete'
]

export interface Allowed {
  readonly isKnown: boolean
  readonly may: (action: string) => boolean
  /** Whether an action is refused without a reason. */
  readonly needsReason: (action: string) => boolean
  /** Whether the queues are observed ones. Their jobs are changed in a different way, if at all. */
  readonly isOthers: boolean
  /** Why something is not offered for schedules; null while everything is. */
  readonly note: string | null
}

/**
 * What the reader may do; nothing before the session is known.
 * @param taskName the task in question. Without it, the result is what is allowed in general, and a single task may still be refused.
 */
export function useAllowed(taskName?: string): Allowed {
  const general = useQuery(sessionQuery).data
  const isOfTask = taskName !== undefined && general?.varies_by_task === true
  const ofTask = useQuery({ ...sessionOfTask(taskName ?? ''), enabled: isOfTask }).data
  const session = isOfTask ? ofTask : general
  return useMemo(() => toAllowed(session), [session])
}

function toAllowed(session: Session | undefined): Allowed {
  const may = (action: string): boolean => session !== undefined && session.actions.includes(action)
  const isLimited = session && !ACTIONS_OF_SCHEDULES.every(may)
  return {
    isKnown: session !== undefined,
    may,
    needsReason: action => session?.reason_required.includes(action) ?? false,
    isOthers: session?.supports.changes === false,
    // Schedules of observed queues can be changed, but none can be created.
    note: !isLimited || !session.supports.changes && may('schedules:update')
      ? null
      : session.read_only ? frameTexts.readOnly : frameTexts.mayNotChange
  }
}

/** The allowed actions that are possible with this schedule. */
export function allowedFor(schedule: Pick<Schedule, 'changes'>, allowed: Allowed): Allowed {
  const may = (action: string): boolean =>
    allowed.may(action) && (!ACTIONS_OF_SCHEDULES.includes(action) || permits(schedule, action))
  return { ...allowed, may, note: schedule.changes === 'none' ? scheduleTexts.leftAlone : allowed.note }
}
