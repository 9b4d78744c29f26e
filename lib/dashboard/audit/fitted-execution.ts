import { createHash } from 'node:crypto'
import type { ExecutionDetail } from '../../../schemas/execution.ts'
import { cut } from '../resources/wire-values.ts'
import { MAX_VALUE_BYTES } from './outcome.ts'

/** As a string in JSON a character takes up to six bytes. */
const BEGINNING_LENGTH = 16 * 1024

/** The execution with as many of its parts as an entry of the audit log may hold. `truncated` names those left out. */
export function fittedExecution(execution: ExecutionDetail): object {
  let kept: ExecutionDetail & { readonly args_cut?: object } = execution
  for (const part of Object.keys(LARGE_PARTS) as Array<keyof typeof LARGE_PARTS>) {
    if (fits(kept)) return kept
    const truncated = kept.truncated.filter(pointer => !isIn(pointer, part))
    const rest = part === 'args' ? { args_cut: cutArguments(kept.args) } : {}
    kept = { ...kept, [part]: LARGE_PARTS[part], truncated: [...truncated, `/${part}`], ...rest }
  }
  return kept
}

/** Left out in this order. The arguments, which are needed to run it again, are last. */
const LARGE_PARTS = { logs: [], attempts: [], result: null, args: null } as const

/** The arguments that others replace, as far as they fit. `truncated` names them if the history or the entry has only a part of them. */
export function fittedArguments({ task_name: taskName, args, truncated }: ExecutionDetail): object {
  const isPart = truncated.some(pointer => isIn(pointer, 'args'))
  const whole = { task_name: taskName, args, ...isPart && { truncated: ['/args'] } }
  return fits(whole) ? whole : { task_name: taskName, args: null, truncated: ['/args'], args_cut: cutArguments(args) }
}

/** Of arguments that are too large, how they begin, with their size and hash: whoever has them elsewhere can tell that it is them. */
function cutArguments(args: unknown): object {
  const json = JSON.stringify(args)
  return { bytes: Buffer.byteLength(json), sha256: createHash('sha256').update(json).digest('hex'), beginning: cut(json, BEGINNING_LENGTH) }
}

function isIn(pointer: string, part: string): boolean {
  return pointer === `/${part}` || pointer.startsWith(`/${part}/`)
}

function fits(value: object): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_VALUE_BYTES
}
