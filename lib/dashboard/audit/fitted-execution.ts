import { createHash } from 'node:crypto'
import type { ExecutionDetail } from '../../../schemas/execution.ts'
import { cut } from '../resources/wire-values.ts'
import { MAX_VALUE_BYTES } from './outcome.ts'

/** As a string in JSON a character takes up to six bytes. */
const BEGINNING_LENGTH = 16 * 1024

/** The execution with as many of its parts as an entry of the audit log may hold. `truncated` names those left out. */
export function fittedExecution(execution: ExecutionDetail): ExecutionDetail {
  let kept = execution
  for (const part of Object.keys(LARGE_PARTS) as Array<keyof typeof LARGE_PARTS>) {
    if (Buffer.byteLength(JSON.stringify(kept)) <= MAX_VALUE_BYTES) return kept
    const truncated = kept.truncated.filter(pointer => pointer !== `/${part}` && !pointer.startsWith(`/${part}/`))
    kept = { ...kept, [part]: LARGE_PARTS[part], truncated: [...truncated, `/${part}`] }
  }
  return kept
}

/** Left out in this order. The arguments, which are needed to run it again, are last. */
const LARGE_PARTS = { logs: [], attempts: [], result: null, args: null } as const

/**
 * The arguments that others replace. If they are too large for an entry of the audit log, how they begin, with their size and hash: whoever
 * has them elsewhere can tell that it is them. `truncated` says so, as it does for arguments of which the history has only a part.
 */
export function fittedArguments({ task_name: taskName, args, truncated }: ExecutionDetail): object {
  const isPart = truncated.some(pointer => pointer === '/args' || pointer.startsWith('/args/'))
  const whole = { task_name: taskName, args, ...isPart && { truncated: ['/args'] } }
  if (Buffer.byteLength(JSON.stringify(whole)) <= MAX_VALUE_BYTES) return whole
  const json = JSON.stringify(args)
  return {
    task_name: taskName, args: null, truncated: ['/args'],
    args_cut: {
      bytes: Buffer.byteLength(json), sha256: createHash('sha256').update(json).digest('hex'), beginning: cut(json, BEGINNING_LENGTH)
    }
  }
}
