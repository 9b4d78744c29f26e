import type { Execution, ExecutionAttempt, ExecutionDetail, ExecutionFailure, FinishedExecution } from '../../execution.ts'
import { isUnset, unsetProblems } from '../../input/unset-problems.ts'
import { isObject } from '../../json/is-object.ts'
import { REDACTED, REDACTION_FAILED } from '../../../schemas/limits.ts'
import { LIMITS, toJson } from '../../backend/entry/limits.ts'
import { createSeal, sealProblems, type Seal, type SealOptions } from './seal.ts'
import { redactPaths, redactionPathFrom, type RedactedField } from './redaction-paths.ts'
import { collectTexts, textWithoutSecrets, toSecrets, valueWithoutSecrets, type Secrets } from './secret-texts.ts'
import { replaceText } from './replace-text.ts'

export interface RedactOptions {
  /**
   * Paths whose values become `[redacted]`: `args.password`, `args.1`, `args.*.card.number`, `args.**.token`, `result.secret`, `logs`. `*`
   * matches one key or position, `**` any number of them. Keys ignore case, and positions may be left out.
   */
  paths?: readonly string[]
  /** Called after the paths. Returns the value to keep and show. If it throws or returns anything but JSON, the whole field is hidden. */
  with?: (field: RedactedField, value: unknown, taskName: string) => unknown
  /**
   * Keeps the real arguments of failed executions encrypted, so that a retry runs with them. Default: they are lost when the broker drops
   * them.
   */
  seal?: SealOptions
}

/** Removes secrets from what is kept and shown. Never changes its input and never throws. */
export interface Redaction {
  /** Whether there is nothing to hide, so that it only seals. */
  readonly hidesNothing: boolean
  args(taskName: string, args: readonly unknown[]): readonly unknown[]
  execution<Detail extends ExecutionDetail>(execution: Detail): Detail
  /** Redacts an execution for the record. The real arguments of a failed execution are sealed, unless its record has them anyway. */
  recorded(execution: FinishedExecution): FinishedExecution
  readonly openSealed: Seal['open']
  /**
   * Redacts an execution for a list. `args` is null if this package did not write the job, and undefined if the arguments were too large to
   * read. In that case, the secrets in error and progress are unknown, and neither is shown.
   */
  listed(
    execution: Execution, args: readonly unknown[] | null | undefined
  ): { readonly execution: Execution; readonly args: readonly unknown[] | null | undefined }
  error(taskName: string, error: ExecutionFailure, args: readonly unknown[] | null): ExecutionFailure
  /** A text that belongs to an execution, such as a key made from its arguments, without copies of what is hidden in these. */
  textOf(execution: ExecutionDetail, text: string): string
}

/**
 * @param onError called with the first failure
 * @param failedArgsBytes up to this size, the history keeps the arguments of failed executions whole
 */
export function createRedaction(
  { paths = [], with: replace, seal = undefined }: RedactOptions, onError: (error: Error) => void,
  failedArgsBytes: number = LIMITS.argsBytes
): Redaction {
  const sealing = createSeal(seal ?? null)
  const parsed = paths.map(redactionPathFrom).filter(path => path !== null)
  const stepsOf = (field: RedactedField) => parsed.filter(path => path.field === field).map(path => path.steps)
  const steps = {
    args: stepsOf('args'), result: stepsOf('result'), progress: stepsOf('progress'), logs: stepsOf('logs'),
    'error.message': stepsOf('error.message'), 'error.stack': stepsOf('error.stack')
  }
  const hidesNothing = parsed.length === 0 && replace === undefined
  let isReported = false

  return {
    hidesNothing,
    openSealed: sealing.open,
    args: (taskName, args) => redactArgs(taskName, args).args,
    recorded(execution) {
      const shown = redactExecution(execution)
      const { status, executionId, args } = execution
      if (seal === undefined || status !== 'failed' || args === null || isRecordedWhole(args, shown.args)) return shown
      const sealed = sealing.close(executionId, args)
      return sealed === null ? shown : { ...shown, sealed }
    },
    execution: redactExecution,
    listed(execution, args) {
      const { taskName, error, progress } = execution
      const { args: shown, secrets } = args === undefined ? { args, secrets: hidesNothing ? [] : null } : redactArgs(taskName, args)
      return {
        execution: {
          ...execution, error: error && redactError(taskName, error, secrets),
          progress: redactValue('progress', taskName, progress, secrets)
        },
        args: shown
      }
    },
    textOf(execution, text) {
      const { secrets } = redactArgs(execution.taskName, execution.args)
      return textWithoutSecrets(text, hidesUnknownTexts(execution) ? null : secrets)
    },
    error: (taskName, error, args) => redactError(taskName, error, redactArgs(taskName, args).secrets)
  }

  function redactExecution<Detail extends ExecutionDetail>(execution: Detail): Detail {
    const { taskName, result, resultProblem, progress, logs, error, attempts } = execution
    const { args, secrets: found } = redactArgs(taskName, execution.args)
    const secrets = hidesUnknownTexts(execution) ? null : found
    return {
      ...execution,
      args,
      result: redactValue('result', taskName, result, secrets),
      // It may contain keys of the result and messages thrown by its getters.
      ...(resultProblem !== undefined && { resultProblem: redactProblem(taskName, resultProblem, secrets) }),
      progress: redactValue('progress', taskName, progress, secrets),
      logs: redactLogs(taskName, logs, secrets),
      error: error && redactError(taskName, error, secrets),
      attempts: attempts.map((attempt): ExecutionAttempt => ({
        ...attempt, error: attempt.error && redactError(taskName, attempt.error, secrets)
      }))
    }
  }

  /** Whether the arguments could not be read. They may hold texts to hide, and copies of those may be anywhere. */
  function hidesUnknownTexts({ args, missing = [], truncated }: ExecutionDetail): boolean {
    if (args !== null || !missing.includes('args') && !truncated.includes('/args')) return false
    return steps.args.length > 0 || replace !== undefined
  }

  /** False if `with` is set, because the record does not show whether `with` replaced anything. */
  function isRecordedWhole(args: readonly unknown[], shown: readonly unknown[] | null): boolean {
    if (replace !== undefined) return false
    const json = toJson(args)
    return Buffer.byteLength(json) <= failedArgsBytes && json === toJson(shown)
  }

  function redactArgs(taskName: string, args: readonly unknown[]): { args: readonly unknown[]; secrets: Secrets }
  function redactArgs(taskName: string, args: readonly unknown[] | null): { args: readonly unknown[] | null; secrets: Secrets }
  function redactArgs(taskName: string, args: readonly unknown[] | null): { args: readonly unknown[] | null; secrets: Secrets } {
    if (args === null) return { args, secrets: [] }
    return failClosed('args', taskName, { args: [REDACTION_FAILED], secrets: null }, () => {
      const texts = new Set<string>()
      const redacted = redactPaths(args, steps.args, taken => collectTexts(taken, texts))
      let shown = argsWithout(Array.isArray(redacted) ? redacted : [redacted], toSecrets(texts))
      if (replace !== undefined) {
        const [before, after] = [new Set<string>(), new Set<string>()]
        collectTexts(shown, before)
        shown = replaced('args', taskName, shown, Array.isArray) as readonly unknown[]
        collectTexts(shown, after)
        for (const text of before) if (!after.has(text)) texts.add(text)
        shown = argsWithout(shown, toSecrets(texts))
      }
      return { args: shown, secrets: toSecrets(texts) }
    })
  }

  function redactValue(field: 'result' | 'progress', taskName: string, value: unknown, secrets: Secrets): unknown {
    if (value === null || value === undefined) return value
    return failClosed(field, taskName, REDACTION_FAILED, () => {
      const redacted = valueWithoutSecrets(redactPaths(value, steps[field]), secrets)
      return replaced(field, taskName, redacted, () => true)
    })
  }

  function redactProblem(taskName: string, problem: string, secrets: Secrets): string {
    return failClosed('result', taskName, REDACTION_FAILED, () => {
      const shown = valueWithoutSecrets(redactPaths(problem, steps.result), secrets)
      const said = replace === undefined ? shown : jsonCopyOf(replace('result', shown, taskName))
      return isText(said) ? said : REDACTED
    })
  }

  function redactLogs(taskName: string, lines: readonly string[], secrets: Secrets): readonly string[] {
    if (lines.length === 0) return lines
    return failClosed('logs', taskName, [REDACTION_FAILED], () => {
      const redacted = steps.logs.length > 0 ? [REDACTED] : lines.map(line => textWithoutSecrets(line, secrets))
      return replaced('logs', taskName, redacted, value => Array.isArray(value) && value.every(isText)) as readonly string[]
    })
  }

  function redactError(taskName: string, { type, message, stack }: ExecutionFailure, secrets: Secrets): ExecutionFailure {
    const shown = redactText('error.message', taskName, message, secrets)
    // A stack begins with the message.
    const rest = stack === null || message === '' ? stack : replaceText(stack, message, shown)
    return { type: textWithoutSecrets(type, secrets), message: shown, stack: rest && redactText('error.stack', taskName, rest, secrets) }
  }

  function redactText(field: 'error.message' | 'error.stack', taskName: string, text: string, secrets: Secrets): string {
    return failClosed(field, taskName, REDACTION_FAILED, () => {
      const redacted = steps[field].length > 0 ? REDACTED : textWithoutSecrets(text, secrets)
      return replaced(field, taskName, redacted, isText) as string
    })
  }

  /** `with` gets a copy, so it cannot undo what the paths removed. */
  function replaced(field: RedactedField, taskName: string, value: unknown, isValid: (value: unknown) => boolean): unknown {
    if (replace === undefined) return value
    const replacement = jsonCopyOf(replace(field, jsonCopyOf(value), taskName))
    if (!isValid(replacement)) throw new TypeError(`redact.with returned a value that does not fit the field ${field}`)
    return replacement
  }

  function failClosed<Value>(field: RedactedField, taskName: string, failed: Value, redact: () => Value): Value {
    try {
      return redact()
    } catch (cause) {
      if (!isReported)
        onError(
          new Error(`Redaction failed: the field ${field} of task "${taskName}" is left out; later failures are not reported`, { cause })
        )
      isReported = true
      return failed
    }
  }
}

/** A secret from one argument may also occur in another. */
function argsWithout(args: readonly unknown[], secrets: Secrets): readonly unknown[] {
  return secrets === null ? [REDACTED] : valueWithoutSecrets(args, secrets) as readonly unknown[]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** A value that JSON cannot represent, such as a promise, is a mistake, not an empty value. */
function jsonCopyOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function') {
    // An unhandled rejection would end the process.
    Promise.resolve(value).catch(() => {})
    throw new TypeError('redact.with must be synchronous, but it returned a promise')
  }
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) throw new TypeError('redact.with returned a value that JSON cannot represent')
  return JSON.parse(json) as unknown
}

/** Every problem with the option, in words. */
export function redactProblems(redact: unknown): string[] {
  if (!isObject(redact)) return ['redact must be an object']
  const { paths = [], with: replace, seal, ...rest } = redact
  const isPath = (path: unknown) => isText(path) && redactionPathFrom(path) !== null
  return [
    ...Object.keys(rest).map(key => `redact.${key} is not an option`),
    ...unsetProblems(redact, { paths: 'no paths', with: 'no function', seal: 'no seal' }, 'redact.').values(),
    ...isUnset(paths)
      ? []
      : Array.isArray(paths)
        ? paths.filter(path => !isPath(path)).map(path => `redact.paths: ${JSON.stringify(path)} is not a path`)
        : ['redact.paths must be an array'],
    ...isUnset(replace) || typeof replace === 'function' ? [] : ['redact.with must be a function'],
    ...isUnset(seal) ? [] : sealProblems(seal)
  ]
}
