import { MAX_ARGS, MAX_ARGS_BYTES } from '../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { exactJson } from '../../json/exact-json.ts'
import { hidesValues } from '../redaction/redaction-paths.ts'

/**
 * Arguments that a person sent. What replaces redacted values is refused: it was copied from a page, and would overwrite the real value.
 * @throws INVALID_INPUT
 */
export function checkSentArguments(args: readonly unknown[]): void {
  const problem = problemOf(args)
  if (problem === null) return
  throw createTaskDashboardError('INVALID_INPUT', [`args ${problem}`], { errors: [{ pointer: '/args', message: problem }] })
}

function problemOf(args: readonly unknown[]): string | null {
  if (args.length > MAX_ARGS) return `must be an array of at most ${MAX_ARGS} items`
  let json: string
  try {
    json = exactJson(args, 'args')
  } catch (error) {
    return `must be plain JSON: ${error instanceof TypeError ? error.message : 'they cannot be written'}`
  }
  if (Buffer.byteLength(json) > MAX_ARGS_BYTES) return `must be at most ${MAX_ARGS_BYTES} bytes as JSON`
  return hidesValues(json) ? 'must not contain [redacted], which replaces hidden values: send the real values' : null
}
