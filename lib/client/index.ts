import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './generated-schema.ts'

export type { components, operations, paths } from './generated-schema.ts'

/** Every error answer: RFC 9457 problem details. `code` is stable. */
export type Problem = components['schemas']['Problem']

export interface TaskDashboardClientOptions {
  /** Where the dashboard is mounted, for example `https://example.org/tasks`. */
  baseUrl: string
  /** For a dashboard with `auth`. Both or none. */
  username?: string
  password?: string
  /** Instead of the global one, for example to add a timeout. */
  fetch?: (request: Request) => Promise<Response>
  /** Sent with every request. */
  headers?: Record<string, string>
}

export type TaskDashboardClient = Client<paths>

/**
 * A typed client of the API. Each call resolves with `{ data, error, response }`: `data` when the status is 2xx, else `error`,
 * which is a `Problem` (or a `Health` for GET /api/health with 503). It rejects only when there is no answer at all.
 * @example
 * const client = createTaskDashboardClient({ baseUrl: 'http://localhost:3000/tasks' })
 * const { data, error } = await client.GET('/api/tasks/{name}', { params: { path: { name: 'reports/daily' } } })
 */
export function createTaskDashboardClient(options: TaskDashboardClientOptions): TaskDashboardClient {
  return createClient<paths>({
    baseUrl: options.baseUrl.replace(/(?<!\/)\/+$/, ''),
    headers: { ...authorizationOf(options), ...options.headers },
    ...(options.fetch && { fetch: options.fetch })
  })
}

function authorizationOf({ username, password }: TaskDashboardClientOptions): Record<string, string> {
  if (username === undefined && password === undefined) return {}
  // btoa takes bytes as characters: names and passwords are UTF-8.
  const bytes = new TextEncoder().encode(`${username ?? ''}:${password ?? ''}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}
