import type { FinishedExecution } from '../execution.ts'

/** What an execution takes without its payload, about. */
const BASE_BYTES = 800
/** Deeper than this a value is not looked at: it is cut when it is written. */
const DEPTH = 50

/** About what a finished execution takes of this process's memory; much cheaper than its JSON. */
export function estimateBytes({ args, result, progress, logs, error, attempts }: FinishedExecution): number {
  let bytes = BASE_BYTES + sizeOf(args) + sizeOf(result) + sizeOf(progress)
  if (logs.length > 0) bytes += sizeOf(logs)
  if (error !== null) bytes += sizeOf(error)
  if (error !== null || attempts.length > 1) bytes += sizeOf(attempts)
  return bytes
}

function sizeOf(value: unknown, depth = DEPTH): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  if (depth === 0) return 16
  let bytes = 32
  if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item, depth - 1)
  } else {
    for (const key in value) bytes += 16 + sizeOf((value as Record<string, unknown>)[key], depth - 1)
  }
  return bytes
}
