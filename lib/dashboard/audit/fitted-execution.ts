import { createHash } from 'node:crypto'
import type { ExecutionDetail } from '../../../schemas/execution.ts'
import { cut } from '../resources/wire-values.ts'
import { MAX_VALUE_BYTES } from './outcome.ts'

/** A character takes up to six bytes in a JSON string. */
const BEGINNING_LENGTH = 16 * 1024

/** The execution with as many of its parts as fit in an entry of the audit log. `truncated` names those that were left out. */
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

/** Parts are left out in this order. The arguments are last, because they are needed to run it again. */
const LARGE_PARTS = { logs: [], attempts: [], result: null, args: null } as const

/** The arguments that a retry replaces, as far as they fit. `truncated` names them if the history or the entry has only a part of them. */
export function fittedArguments({ task_name: taskName, args, truncated }: ExecutionDetail): object {
  const isPart = truncated.some(pointer => isIn(pointer, 'args'))
  const whole = { task_name: taskName, args, ...isPart && { truncated: ['/args'] } }
  return fits(whole) ? whole : { task_name: taskName, args: null, truncated: ['/args'], args_cut: cutArguments(args) }
}

/** Stands for arguments that are too large: their beginning, size and hash. Anyone who has the arguments elsewhere can recognise them. */
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
