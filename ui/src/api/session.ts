import { queryOptions } from '@tanstack/react-query'
import type { Session } from '../../../schemas/index.ts'
import { get } from './request.ts'

/** The server may put the session into the page, as JSON, so that the first paint knows what is allowed. */
function embeddedSession(): Session | undefined {
  try {
    const parsed: unknown = JSON.parse(document.getElementById('task-dashboard-session')?.textContent ?? '')
    return typeof parsed === 'object' && parsed !== null && 'actions' in parsed ? parsed as Session : undefined
  } catch {
    return undefined
  }
}

const embedded = embeddedSession()

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<Session>('api/session', { signal }),
  ...(embedded ? { initialData: embedded, staleTime: 60_000 } : {})
})
