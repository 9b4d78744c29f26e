import { digestOfText } from '../../json/digest.ts'

/**
 * Equal for two values with the same contents, whatever the order of their fields, and reveals nothing about them. Functions and class
 * instances are equal only if identical.
 */
export function identityOf(value: unknown): string {
  return digestOfText(textOf(value))
}

function textOf(value: unknown): string {
  if (typeof value === 'function') return `#${numberOf(value)}`
  if (typeof value !== 'object' || value === null) return `${typeof value} ${JSON.stringify(value) ?? String(value)}`
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `#${numberOf(value)}`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined).sort(([one], [other]) => one < other ? -1 : 1)
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${textOf(field)}`).join()}}`
}

const numbers = new WeakMap<object, number>()
let last = 0

function numberOf(value: object): number {
  const number = numbers.get(value) ?? ++last
  numbers.set(value, number)
  return number
}
