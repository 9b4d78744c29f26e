import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './generated-schema.ts'

export type { components, operations, paths } from './generated-schema.ts'

/** Every error response: problem details (RFC 9457). `code` is stable. */
export type Problem = components['schemas']['Problem']

export interface TaskDashboardClientOptions {
  /** Where the dashboard is mounted, for example `https://example.org/tasks`. */
  baseUrl: string
  /** For a dashboard with `auth`. Set both `username` and `password`, or neither. */
  username?: string
  password?: string
  /** Replaces the global `fetch`, for example to add a timeout. */
  fetch?: (request: Request) => Promise<Response>
  /** Sent with every request. */
  headers?: Record<string, string>
}

export type TaskDashboardClient = Client<paths>

/**
 * A typed client of the API. Each call resolves with `{ data, error, response }`: `data` if the status is 2xx, otherwise `error`. The error
 * is a `Problem`, or a `Health` for GET /api/health with 503. An error response from a proxy becomes a `Problem` whose code is its status,
 * such as `HTTP_502`. The call rejects if there is no response, or if the response is an HTML page, such as a sign-in page.
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

/** A proxy sends no problem document, and perhaps no body. Without `error`, its response would look like a success. */
function answerOf(request: Request, response: Response): Response | undefined {
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith('text/html'))
    throw new TypeError(
      `The response from ${request.url} is an HTML page, not the dashboard's API: check baseUrl, and any sign-in or redirect in front of it`
    )
  if (response.ok || response.status === 304 || /^application\/(?:problem\+)?json/.test(type)) return undefined
  const { status, statusText } = response
  const problem: Problem = {
    type: 'about:blank', title: statusText || 'Error', status, code: `HTTP_${status}`, instance: new URL(request.url).pathname,
    detail: `The response ${status} does not come from the dashboard: something in front of it answered instead`
  }
  return new Response(JSON.stringify(problem), { status, statusText, headers: { 'content-type': 'application/problem+json' } })
}

function authorizationOf({ username, password }: TaskDashboardClientOptions): Record<string, string> {
  if (username === undefined && password === undefined) return {}
  // btoa takes one character per byte; names and passwords are UTF-8.
  const bytes = new TextEncoder().encode(`${username ?? ''}:${password ?? ''}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}
