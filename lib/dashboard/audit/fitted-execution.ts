import type { ExecutionDetail } from '../../../schemas/execution.ts'
import { MAX_VALUE_BYTES } from './outcome.ts'

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
