import type { ExecutionAttempt, ExecutionDetail, ExecutionFailure } from '../execution.ts'
import { type RedactionPath, redactPaths, redactionPathFrom } from './redaction-paths.ts'

export type RedactedField = 'args' | 'result' | 'error.message' | 'error.stack' | 'logs' | 'progress'

export interface RedactOptions {
  /**
   * What is replaced by `[redacted]`: `args.password`, `args.*.card.number`, `args.**.token`, `result.secret`, `progress`. `*` is one key,
   * `**` any number of them; keys are compared without regard to case, positions in arrays are left out.
   */
  paths?: readonly string[]
  /** Called after the paths; what it returns is kept and shown. When it throws, or returns what is no JSON, nothing of the field is. */
  with?: (field: RedactedField, value: unknown, taskName: string) => unknown
}

export const REDACTED = '[redacted]'
export const REDACTION_FAILED = '[redaction failed]'

/** Takes secrets out of what is kept and shown. Pure but for `with`; nothing is changed in place. */
export interface Redaction {
  args(taskName: string, args: readonly unknown[]): readonly unknown[]
  execution<Detail extends ExecutionDetail>(execution: Detail): Detail
  /** @param args of its execution, null when they are not known: then nothing of the text is kept */
  error(taskName: string, error: ExecutionFailure, args: readonly unknown[] | null): ExecutionFailure
  progress(taskName: string, progress: unknown, args: readonly unknown[] | null): unknown
}

/** Shorter ones stand in other words. */
const SECRET_MIN_LENGTH = 6
/** With more of them texts are left out as a whole, before looking for them takes the process's time. */
const SECRETS_MAX = 1_000

/** @param onError hears once of `with` failing */
export function createRedaction({ paths = [], with: replace }: RedactOptions, onError: (error: Error) => void): Redaction {
  const parsed = paths.map(redactionPathFrom).filter(path => path !== null)
  const hidesArgs = replace !== undefined || pathsOf('args').length > 0
  let isReported = false

  return {
    args: (taskName, args) => redactArgs(taskName, args).args,
    error: (taskName, error, args) => redactError(taskName, error, secretsOf(taskName, args)),
    progress: (taskName, progress, args) => redactValue('progress', taskName, progress, secretsOf(taskName, args)),
    execution(execution) {
      const { taskName } = execution
      const { args, secrets } = execution.args === null ? { args: null, secrets: new Set<string>() } : redactArgs(taskName, execution.args)
      return {
        ...execution,
        args,
        result: redactValue('result', taskName, execution.result, secrets),
        progress: redactValue('progress', taskName, execution.progress, secrets),
        logs: redactLogs(taskName, execution.logs, secrets),
        error: execution.error && redactError(taskName, execution.error, secrets),
        attempts: execution.attempts.map((attempt): ExecutionAttempt => ({ ...attempt, error: attempt.error && redactError(taskName, attempt.error, secrets) }))
      }
    }
  }

  function secretsOf(taskName: string, args: readonly unknown[] | null): Secrets {
    return args === null ? null : redactArgs(taskName, args).secrets
  }

  function redactArgs(taskName: string, args: readonly unknown[]): { args: readonly unknown[]; secrets: Secrets } {
    const secrets = new Set<string>()
    const redacted = guarded('args', taskName, FAILED_LIST, Array.isArray, () => {
      const value = redactPaths(args, pathsOf('args'), REDACTED, each => collect(each, secrets))
      return Array.isArray(value) ? value as unknown[] : [value]
    }) as readonly unknown[]
    if (redacted === FAILED_LIST) return { args: redacted, secrets: null }
    if (replace !== undefined) {
      const kept = new Set<string>()
      collect(redacted, kept)
      collect(args, { add: text => kept.has(text) || secrets.add(text) })
    }
    return { args: redacted, secrets: secrets.size > SECRETS_MAX ? null : secrets }
  }

  function redactValue(field: 'result' | 'progress', taskName: string, value: unknown, secrets: Secrets): unknown {
    if (value === null || value === undefined) return value
    return guarded(field, taskName, REDACTION_FAILED, () => true, () => {
      if (secrets === null && hidesArgs) return REDACTED
      return mapStrings(redactPaths(value, pathsOf(field), REDACTED, () => {}), secrets, without)
    })
  }

  function redactLogs(taskName: string, logs: readonly string[], secrets: Secrets): readonly string[] {
    if (logs.length === 0) return logs
    const isLines = (value: unknown) => Array.isArray(value) && value.every(line => typeof line === 'string')
    return guarded('logs', taskName, FAILED_LIST, isLines, () => isHidden('logs') ? [REDACTED] : logs.map(line => without(line, secrets))) as readonly string[]
  }

  function redactError(taskName: string, { type, message, stack }: ExecutionFailure, secrets: Secrets): ExecutionFailure {
    const redactText = (field: 'error.message' | 'error.stack', text: string) =>
      guarded(field, taskName, REDACTION_FAILED, value => typeof value === 'string', () => isHidden(field) ? REDACTED : without(text, secrets)) as string
    const shown = redactText('error.message', message)
    // A stack begins with the message.
    const stackShown = stack === null || message === '' ? stack : stack.replaceAll(message, () => shown)
    return { type, message: shown, stack: stackShown === null ? null : redactText('error.stack', stackShown) }
  }

  function without(text: string, secrets: Secrets): string {
    if (secrets === null) return hidesArgs ? REDACTED : text
    let rest = text
    // The longest first: one may be part of another.
    for (const secret of [...secrets].sort((a, b) => b.length - a.length)) rest = rest.replaceAll(secret, REDACTED)
    return rest
  }

  function guarded(field: RedactedField, taskName: string, failed: unknown, isValid: (value: unknown) => boolean, redact: () => unknown): unknown {
    try {
      const redacted = redact()
      if (replace === undefined) return redacted
      const value = jsonCopyOf(replace(field, redacted, taskName))
      if (!isValid(value)) throw new TypeError(`redact.with returned something else than the field ${field} holds`)
      return value
    } catch (cause) {
      if (!isReported) onError(new Error(`Redaction failed: the field ${field} of task "${taskName}" is left out; later failures are not reported`, { cause }))
      isReported = true
      return failed
    }
  }

  function isHidden(field: RedactedField): boolean {
    return parsed.some(path => path.field === field)
  }

  function pathsOf(field: RedactedField): Array<RedactionPath['keys']> {
    return parsed.filter(path => path.field === field).map(path => path.keys)
  }
}

/** Texts that were taken out of the arguments; null when they are not known. */
type Secrets = ReadonlySet<string> | null

const FAILED_LIST: readonly unknown[] = Object.freeze([REDACTION_FAILED])

/** What JSON cannot hold, such as a promise, is a mistake and not an empty value. */
function jsonCopyOf(value: unknown): unknown {
  const isThenable = typeof value === 'object' && value !== null && 'then' in value
  const json = isThenable ? undefined : JSON.stringify(value) as string | undefined
  if (json === undefined) throw new TypeError('redact.with returned something that is no JSON')
  return JSON.parse(json)
}

/** The texts of a value, also as they stand in JSON. */
function collect(value: unknown, secrets: { add(text: string): unknown }): void {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) collect(each, secrets)
    return
  }
  if (typeof value !== 'string' && typeof value !== 'number') return
  const text = String(value)
  if (text.length < SECRET_MIN_LENGTH) return
  secrets.add(text)
  secrets.add(JSON.stringify(text).slice(1, -1))
}

function mapStrings(value: unknown, secrets: Secrets, map: (text: string, secrets: Secrets) => string): unknown {
  if (secrets === null || secrets.size === 0) return value
  if (typeof value === 'string') return map(value, secrets)
  if (typeof value === 'number') return map(String(value), secrets) === String(value) ? value : REDACTED
  if (Array.isArray(value)) return value.map(each => mapStrings(each, secrets, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [map(key, secrets), mapStrings(each, secrets, map)]))
}

/** What is wrong with the option, in words. */
export function redactProblems(redact: unknown): string[] {
  if (typeof redact !== 'object' || redact === null) return ['redact must be an object']
  const { paths = [], with: replace, ...rest } = redact as Record<string, unknown>
  return [
    ...Object.keys(rest).map(key => `redact.${key} is not an option`),
    ...Array.isArray(paths) ? paths.filter(path => typeof path !== 'string' || redactionPathFrom(path) === null).map(path => `redact.paths: ${JSON.stringify(path)} is no path`) : ['redact.paths must be an array'],
    ...replace === undefined || typeof replace === 'function' ? [] : ['redact.with must be a function']
  ]
}
