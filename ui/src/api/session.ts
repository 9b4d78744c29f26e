import { queryOptions } from '@tanstack/react-query'
import type { Session } from '../../../schemas/index.ts'
import { isFresh, loadedAt, readEmbedded } from './embedded.ts'
import { toFirstAnswer } from './first-answer.ts'
import { get } from './request.ts'
import { noteActions } from './rights.ts'
import { MINUTE_MS } from '../format/time/units.ts'

const parsed = readEmbedded('task-dashboard-session')
const embedded = typeof parsed === 'object' && parsed !== null && 'actions' in parsed ? parsed as Session : undefined
// A page from the browser's cache has old rights.
if (embedded && isFresh()) noteActions(embedded.actions)

async function read(signal: AbortSignal, taskName?: string): Promise<Session> {
  const session = await get<Session>('api/session', { signal, ...taskName !== undefined && { query: { task_name: taskName } } })
  noteActions(session.actions, taskName)
  return session
}

/** What the reader may do with one task. */
export function sessionOfTask(taskName: string) {
  return queryOptions({
    queryKey: ['session', taskName],
    queryFn: ({ signal }) => read(signal, taskName),
    staleTime: MINUTE_MS
  })
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => read(signal),
  ...toFirstAnswer(embedded, loadedAt, isFresh() ? MINUTE_MS : 0)
})
