/** Statuses that the same request will get again. */
const FINAL = new Set([400, 404, 410, 414, 431])
/** Codes of something in front of the server, or of a server of another version. Both are temporary. */
const PASSING = new Set(['UNKNOWN', 'NOT_FOUND'])

interface Answered {
  readonly status: number
  readonly code: string
}

/** Whether a retry would change nothing. */
export function isFinal({ status, code }: Answered): boolean {
  return FINAL.has(status) && !PASSING.has(code)
}

/** Whether the server itself says that nothing has this id. */
export function isMissing({ status, code }: Answered): boolean {
  return status === 404 && code.endsWith('_NOT_FOUND')
}
