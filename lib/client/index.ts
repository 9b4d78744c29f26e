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
 * which is a `Problem` (or a `Health` for GET /api/health with 503). What a proxy answers in the dashboard's place is a `Problem` with the
 * code `HTTP_502`, after its status. It rejects when there is no answer at all, and when a page comes instead of data, such as that of a
 * sign-in.
 * @example
 * const client = createTaskDashboardClient({ baseUrl: 'http://localhost:3000/tasks' })
 * const { data, error } = await client.GET('/api/tasks/{name}', { params: { path: { name: 'reports/daily' } } })
 */
export function createTaskDashboardClient(options: TaskDashboardClientOptions): TaskDashboardClient {
  const client = createClient<paths>({
    baseUrl: options.baseUrl.replace(/(?<!\/)\/+$/, ''),
    headers: { ...authorizationOf(options), ...options.headers },
    ...(options.fetch && { fetch: options.fetch })
  })
  client.use({ onResponse: ({ request, response }) => answerOf(request, response) })
  return client
}

/** Of somebody else there is no problem document, and nothing at all may be there: without `error` it would look like an answer. */
function answerOf(request: Request, response: Response): Response | undefined {
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith('text/html'))
    throw new TypeError(
      `There is a page at ${request.url} and not the API of a dashboard: look at baseUrl, and at what signs in or redirects`
    )
  if (response.ok || response.status === 304 || /^application\/(?:problem\+)?json/.test(type)) return undefined
  const { status, statusText } = response
  const problem: Problem = {
    type: 'about:blank', title: statusText || 'Error', status, code: `HTTP_${status}`, instance: new URL(request.url).pathname,
    detail: `The answer ${status} is not one of the dashboard: something in front of it answered in its place`
  }
  return new Response(JSON.stringify(problem), { status, statusText, headers: { 'content-type': 'application/problem+json' } })
}

function authorizationOf({ username, password }: TaskDashboardClientOptions): Record<string, string> {
  if (username === undefined && password === undefined) return {}
  // btoa takes bytes as characters: names and passwords are UTF-8.
  const bytes = new TextEncoder().encode(`${username ?? ''}:${password ?? ''}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}
