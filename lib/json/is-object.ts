/** Whether a value has named fields. An array does not: options in one would all be overlooked. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
