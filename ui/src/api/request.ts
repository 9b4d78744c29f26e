import type { Problem } from '../../../schemas/index.ts'
import { noteServerTime } from '../format/time/clock.ts'
import { takeFirstRead } from './embedded.ts'
import { mountUrl } from './mount-url.ts'
import { isRefused } from './rights.ts'
import { errorTexts } from '../texts/errors.ts'
import { frameTexts } from '../texts/frame.ts'

const TIMEOUT_MS = 10_000
/** Enough for every list and item a reader has open; the oldest is forgotten first. */
const MAX_RESPONSES_KEPT = 60

/** A request that did not succeed. `status` 0 means that there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: NonNullable<Problem['errors']>
  readonly requestId: string | null
  /** The execution that already exists. */
  readonly executionId: string | null
  /** What a bulk action matches now, and the token that starts it with that count. */
  readonly drift: { readonly count: NonNullable<Problem['count']>; readonly token: string } | null

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? frameTexts.answeredStatus(status))
    this.name = 'ApiError'
    this.status = status
    this.code = problem.code ?? 'UNKNOWN'
    this.fields = problem.errors ?? []
    this.requestId = problem.request_id ?? null
    this.executionId = problem.execution_id ?? null
    const { count, token } = problem
    this.drift = count !== undefined && token !== undefined ? { count, token } : null
  }
}

interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: object
  readonly signal?: AbortSignal
  /** Idempotency key: the server carries out a POST only once per key. */
  readonly key?: string
  /** Why, for the audit log. */
  readonly reason?: string | undefined
  /** Statuses other than 2xx whose body is still a result. For example, the health check may respond with 503 and its report. */
  readonly accept?: readonly number[]
}

export interface Answer<T> {
  readonly data: T
  /** The cursor of the next page; null if there is none. */
  readonly next: string | null
}

interface Remembered {
  readonly etag: string
  readonly answer: Answer<unknown>
}
const remembered = new Map<string, Remembered>()

/** The only fetch of the interface except that of the first reads. `path` is below the mount and consists of encoded segments. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const url = new URL(path, mountUrl)
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value))
  }
  const method = options.method ?? 'GET'
  if (method === 'GET' && isRefused(path, options.query)) throw new ApiError(403, { detail: frameTexts.mayNotSee, code: 'FORBIDDEN' })
  const known = method === 'GET' ? remembered.get(url.href) : undefined
  const first = method === 'GET' ? await takeFirstRead(url.href.slice(mountUrl.href.length)) : undefined
  if (first !== undefined) return { data: first as T, next: null }

  const sentAt = performance.now()
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      // ETags are compared here, because responses are no-store and so the browser's own cache has none.
      cache: 'no-store',
      // The API never redirects, so a redirect comes from something in front of it that requires a sign-in.
      redirect: 'manual',
      headers: {
        accept: 'application/json', ...(known ? { 'if-none-match': known.etag } : {}),
        ...(options.key ? { 'idempotency-key': options.key } : {}),
        ...(options.reason ? { 'audit-reason': encodeURIComponent(options.reason) } : {}),
        ...(options.body ? { 'content-type': 'application/json' } : {})
      },
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
      signal: options.signal ? AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT_MS)]) : AbortSignal.timeout(TIMEOUT_MS)
    })
    const receivedAt = Date.now()
    // The duration does not come from the reader's clock, which may have been changed during the request.
    noteServerTime(response.headers.get('date'), receivedAt - (performance.now() - sentAt), receivedAt)
    text = response.status === 304 ? '' : await response.text()
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError(0, { detail: frameTexts.noAnswer, code: 'NO_ANSWER' })
  }

  if (response.type === 'opaqueredirect') throw new ApiError(401, { detail: frameTexts.youAreSignedOut, code: 'SIGNED_OUT' })
  if (response.status === 304 && known) return known.answer as Answer<T>
  const body = parse(text)
  const accepted = response.ok || (options.accept?.includes(response.status) && isObject(body) && !('code' in body))
  if (!accepted) throw new ApiError(response.status, isObject(body) ? inLanguage(body) : {})
  if (body === undefined)
    throw new ApiError(response.status, {
      detail: frameTexts.notJson, code: 'NOT_JSON'
    })

  const answer: Answer<unknown> = { data: body, next: nextFrom(response.headers.get('link')) }
  const etag = response.headers.get('etag')
  if (method === 'GET' && etag) remember(url.href, { etag, answer })
  return answer as Answer<T>
}

export async function get<T>(path: string, options: Omit<RequestOptions, 'method'> = {}): Promise<T> {
  return (await request<T>(path, options)).data
}

/** An id as one path segment. `.` and `..` would be resolved as folders, even if encoded. */
export function segment(id: string): string {
  if (id === '.' || id === '..') throw new ApiError(404, { detail: frameTexts.nothingWithThisId, code: 'NOT_FOUND' })
  try {
    return encodeURIComponent(id)
  } catch {
    throw new ApiError(400, { detail: frameTexts.idIsNoText, code: 'INVALID_INPUT' })
  }
}

/** Translates a problem, because the server's texts are English. Its detail repeats the message of each field. */
function inLanguage(problem: Partial<Problem>): Partial<Problem> {
  const { code, detail } = problem
  if (typeof code !== 'string' || typeof detail !== 'string') return problem
  const errors = problem.errors?.map(fault => ({ ...fault, message: errorTexts.sayOfField(fault.message) }))
  const said = errors?.reduce((text, { message }, index) => text.replace(problem.errors![index]!.message, () => message), detail) ?? detail
  return { ...problem, ...errors && { errors }, detail: errorTexts.say(code, said) }
}

function remember(address: string, entry: Remembered): void {
  remembered.delete(address)
  remembered.set(address, entry)
  if (remembered.size > MAX_RESPONSES_KEPT) remembered.delete(remembered.keys().next().value!)
}

/** The cursor of a `Link: <?…>; rel="next"`. */
function nextFrom(link: string | null): string | null {
  if (!link?.endsWith('; rel="next"')) return null
  return new URLSearchParams(link.slice(link.indexOf('?') + 1, link.lastIndexOf('>'))).get('cursor')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null
}
