import type { ExecutionAttempt, ExecutionFailure } from '../../execution.ts'

/**
 * How much of an execution is kept, so that a single one cannot fill the datastore. Bytes are UTF-8 bytes.
 * Messages, stacks and logs have a limit in `lib/engine/` too, which must be larger: see `test/promises/kept-sizes.test.ts`. How much a
 * handler may log is limited before both, in `lib/queue-app/tasks/current-execution.ts`.
 */
export const LIMITS = {
  /** For failed executions, `retention.failed.argsBytes` applies instead. */
  argsBytes: 64 * 1024,
  resultBytes: 64 * 1024,
  progressBytes: 1024,
  errorTypeCharacters: 200,
  messageCharacters: 8 * 1024,
  /** In lists. */
  listMessageCharacters: 500,
  stackCharacters: 32 * 1024,
  logLines: 1000,
  logBytes: 64 * 1024,
  attempts: 100,
  attemptStackCharacters: 8 * 1024,
  /** What is kept of args or a result over the limit: the start of its JSON, as one string. */
  previewCharacters: 8 * 1024,
  /** Longer ids and names are not ours and do not fit an index. Such an execution is not recorded. */
  keyCharacters: 512
} as const

/** The option `retention.failed.argsBytes`. The upper limit bounds what a bulk retry reads at once. */
export const FAILED_ARGS_BYTES = { min: LIMITS.argsBytes, max: 512 * 1024 } as const

/** Cuts text to a number of characters without splitting a surrogate pair. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const lastUnit = text.charCodeAt(maxCharacters - 1)
  return text.slice(0, lastUnit >= 0xd800 && lastUnit <= 0xdbff ? maxCharacters - 1 : maxCharacters)
}

/** A value as JSON. Values that JSON cannot represent become null, as does `undefined`. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return 'null'
  }
}

const MAX_ENTRIES_LOOKED_AT = 100

/**
 * Cuts each text that alone exceeds the limit to just above it. Serializing it in full could take a hundred times longer than detecting it,
 * because of JSON escapes.
 */
function withoutLongTexts(value: unknown, maxCharacters: number, depth = 3): unknown {
  if (typeof value === 'string') return value.length > maxCharacters ? value.slice(0, maxCharacters + 1) : value
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) return value
  const entries = Object.entries(value).slice(0, MAX_ENTRIES_LOOKED_AT + 1)
  if (entries.length > MAX_ENTRIES_LOOKED_AT) return value
  const shorter = entries.map(([key, inner]) => [key, withoutLongTexts(inner, maxCharacters, depth - 1)] as const)
  if (shorter.every(([, inner], i) => inner === entries[i]![1])) return value
  return Array.isArray(value) ? shorter.map(([, inner]) => inner) : Object.fromEntries(shorter)
}

/** JSON of a value, or of the start of its JSON if it exceeds the limit. */
export function cutJson(
  value: unknown, maxBytes: number, wrap: (preview: string) => unknown = preview => preview
): { json: string; cut: boolean } {
  const json = toJson(withoutLongTexts(value, maxBytes))
  if (json.length <= maxBytes / 3 || Buffer.byteLength(json) <= maxBytes) return { json, cut: false }
  return { json: JSON.stringify(wrap(cutText(json, LIMITS.previewCharacters))), cut: true }
}

/** Why only the start of a result was kept. */
export const RESULT_CUT = `result is larger than ${LIMITS.resultBytes} bytes as JSON; its beginning is kept`

/** The last lines, as many as fit. */
export function cutLogs(logs: readonly string[]): { logs: readonly string[]; cut: boolean } {
  if (logs.length === 0) return { logs, cut: false }
  let bytes = 0
  let first = logs.length
  while (first > 0 && logs.length - first < LIMITS.logLines) {
    bytes += Buffer.byteLength(logs[first - 1]!)
    if (bytes > LIMITS.logBytes) break
    first--
  }
  if (first === 0) return { logs, cut: false }
  // Cut a single oversized line instead of dropping it.
  if (first === logs.length) return { logs: [cutText(logs.at(-1)!, LIMITS.logBytes / 4)], cut: true }
  return { logs: logs.slice(first), cut: true }
}

export function cutFailure(error: ExecutionFailure, stackCharacters: number = LIMITS.stackCharacters): ExecutionFailure {
  return {
    type: cutText(error.type, LIMITS.errorTypeCharacters),
    message: cutText(error.message, LIMITS.messageCharacters),
    stack: error.stack === null ? null : cutText(error.stack, stackCharacters)
  }
}

/** Marks what it cut in `truncated`. */
export function cutAttempt(attempt: ExecutionAttempt): ExecutionAttempt {
  const error = attempt.error && cutFailure(attempt.error, LIMITS.attemptStackCharacters)
  const truncated = failureCuts(attempt.error, error)
  return truncated.length === 0 ? { ...attempt, error } : { ...attempt, error, truncated }
}

/** JSON pointers to the parts that were cut from the error of an execution or attempt. */
export function failureCuts(whole: ExecutionFailure | null, cut: ExecutionFailure | null): string[] {
  if (whole === null || cut === null) return []
  return [...whole.message === cut.message ? [] : ['/error/message'], ...whole.stack === cut.stack ? [] : ['/error/stack']]
}
