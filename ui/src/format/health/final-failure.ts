/** Statuses that the same request will get again. */
const FINAL = new Set([400, 404, 410, 414, 431])
/** Said by something between here and the server, or by a server of another version: both pass. */
const PASSING = new Set(['UNKNOWN', 'NOT_FOUND'])

interface Answered {
  readonly status: number
  readonly code: string
}

/** Asking again will change nothing. */
export function isFinal({ status, code }: Answered): boolean {
  return FINAL.has(status) && !PASSING.has(code)
}

/** The server itself says that what has this id is not there. */
export function isMissing({ status, code }: Answered): boolean {
  return status === 404 && code.endsWith('_NOT_FOUND')
}
