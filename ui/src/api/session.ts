import { queryOptions } from '@tanstack/react-query'
import type { Session } from '../../../schemas/index.ts'
import { isFresh, loadedAt, readEmbedded } from './embedded.ts'
import { toFirstAnswer } from './first-answer.ts'
import { get } from './request.ts'

const parsed = readEmbedded('task-dashboard-session')
const embedded = typeof parsed === 'object' && parsed !== null && 'actions' in parsed ? parsed as Session : undefined

/** What the reader may do with one task. */
export function sessionOfTask(taskName: string) {
  return queryOptions({
    queryKey: ['session', taskName],
    queryFn: ({ signal }) => get<Session>('api/session', { signal, query: { task_name: taskName } }),
    staleTime: 60_000
  })
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<Session>('api/session', { signal }),
  ...toFirstAnswer(embedded, loadedAt, isFresh() ? 60_000 : 0)
})
