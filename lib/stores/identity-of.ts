/**
 * A text that is equal for two values that say the same. Functions and objects with a class, such as a client or a Buffer, are told apart by
 * reference; nothing in them is read. It holds secrets as they are: never show it.
 */
export function identityOf(value: unknown): string {
  return JSON.stringify(nameReferences(value)) ?? 'undefined'
}

function nameReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameReferences)
  if (typeof value === 'function') return { reference: referenceOf(value) }
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return { reference: referenceOf(value) }
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
  return Object.fromEntries(entries.map(([name, each]) => [name, nameReferences(each)]))
}

const references = new WeakMap<object, number>()
let count = 0

function referenceOf(value: object): number {
  let reference = references.get(value)
  if (reference === undefined) references.set(value, reference = ++count)
  return reference
}
