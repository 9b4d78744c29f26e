import { MAX_ARGS, MAX_ARGS_BYTES } from '../../../schemas/limits.ts'
import { invalidInput } from '../../errors.ts'
import { readSentArguments } from '../../json/sent-arguments.ts'
import { hidesValues } from '../redaction/redaction-paths.ts'

/**
 * Checks arguments that a person sent. The placeholder of redacted values is refused: it was copied from a page, and would overwrite the
 * real value.
 * @throws INVALID_INPUT
 */
export function checkSentArguments(args: readonly unknown[]): void {
  const { json, problems } = readSentArguments(args, { maxItems: MAX_ARGS, maxBytes: MAX_ARGS_BYTES })
  const problem = problems[0] ??
    (json !== null && hidesValues(json) ? 'must not contain [redacted], which replaces hidden values: send the real values' : null)
  if (problem === null) return
  throw invalidInput('/args', problem)
}
