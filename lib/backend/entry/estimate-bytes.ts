import type { FinishedExecution } from '../../execution.ts'

/** Approximate size of an execution without its payload. */
const BASE_BYTES = 800
/** Maximum depth to inspect. Anything deeper counts as large. */
const MAX_DEPTH = 500
const DEEPER_BYTES = 64 * 1024
/** Objects with more keys rarely share a shape, so each stores its own keys. */
const KEYS_SHARED = 24
const SHARED_KEY_BYTES = 16
const OWN_KEY_BYTES = 96
/** Shorter text takes little memory, whatever its characters. */
const MIN_TEXT_MEASURED = 64
const TWO_BYTES = /[^\u0000-\u00ff]/

/** Estimates the memory a finished execution takes in this process; much cheaper than computing its JSON. */
export function estimateBytes({ args, result, progress, logs, error, attempts, sealed }: FinishedExecution): number {
  let bytes = BASE_BYTES + sizeOf(args) + sizeOf(result) + sizeOf(progress)
  if (sealed !== undefined) bytes += sizeOf(sealed)
  if (logs.length > 0) bytes += sizeOf(logs)
  if (error !== null) bytes += sizeOf(error)
  if (error !== null || attempts.length > 1) bytes += sizeOf(attempts)
  return bytes
}

function sizeOf(value: unknown, depth = MAX_DEPTH): number {
  if (typeof value === 'string') return 16 + (value.length >= MIN_TEXT_MEASURED && TWO_BYTES.test(value) ? 2 : 1) * value.length
  if (typeof value !== 'object' || value === null) return 8
  if (depth === 0) return DEEPER_BYTES
  let bytes = 56
  if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item, depth - 1)
    return bytes
  }
  let keys = 0
  for (const key in value) {
    keys++
    bytes += SHARED_KEY_BYTES + sizeOf((value as Record<string, unknown>)[key], depth - 1)
  }
  return keys <= KEYS_SHARED ? bytes : bytes + keys * (OWN_KEY_BYTES - SHARED_KEY_BYTES)
}
