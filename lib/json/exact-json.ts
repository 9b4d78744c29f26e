import { types } from 'node:util'

/** Deeper than real data, and shallow enough for the stack wherever the value is read later. */
export const MAX_JSON_DEPTH = 1_000

/**
 * Positional arguments as JSON. Values that would arrive changed are refused, so that a handler gets what was sent. The exceptions:
 * `undefined` properties and trailing `undefined` arguments are dropped, and -0 arrives as 0.
 * @param place the start of reported places: `args`
 * @throws TypeError with the place of the first value that JSON changes: `args[0].tags is a Map, …`
 */
export function exactJson(args: readonly unknown[], place = 'args'): string {
  const present = [...args]
  while (present.length > 0 && present.at(-1) === undefined) present.pop()
  return written(place, present, false)
}

/**
 * A handler's return value, or what it reported, as JSON; `null` for `undefined`. Unlike an argument, it may use `toJSON`: a `Date` becomes
 * its ISO text, as with `JSON.stringify`.
 * @param name the start of reported places: `result`
 * @throws TypeError with the place of the first value that JSON loses
 */
export function reportedJson(name: string, value: unknown): string {
  return value === undefined ? 'null' : written(name, value, true)
}

function written(name: string, value: unknown, mayConvert: boolean): string {
  const found = faultOf(value, 0, { mayConvert, left: MAX_VALUES })
  if (found !== null)
    throw new TypeError(said(name, found === TOO_DEEP ? cycleIn(value, new Set(), { mayConvert, left: MAX_VALUES }) ?? found : found))
  try {
    return JSON.stringify(value)
  } catch (error) {
    throw new TypeError(`${name} cannot be written as JSON: ${firstLineOf(error)}`)
  }
}

/** More values would exceed every size limit. This also ends the check of objects that contain each other many times. */
const MAX_VALUES = 4 * 1024 * 1024

interface Walk {
  /** Whether `toJSON` is used. */
  readonly mayConvert: boolean
  left: number
}

interface Fault {
  readonly reason: string
  /** From the faulty value outwards. Built only for a fault, because most values have none. */
  readonly keys: Array<string | number>
}

const TOO_DEEP: Fault = { reason: `nests deeper than ${MAX_JSON_DEPTH} levels`, keys: [] }
const TOO_MANY: Fault = { reason: `holds more than ${MAX_VALUES} values`, keys: [] }

/** JSON.stringify with a replacer would take five times as long. */
function faultOf(value: unknown, depth: number, walk: Walk): Fault | null {
  switch (typeof value) {
    case 'string':
    case 'boolean': return null
    case 'number': return Number.isFinite(value) ? null : fault(`is ${value}, which JSON does not have: use null or a string`)
    case 'bigint': return fault('is a bigint, which JSON does not have: use a string')
    case 'undefined': return fault('is undefined, which would arrive as null: use null')
    case 'function':
    case 'symbol': return fault(`is a ${typeof value}, which JSON does not have`)
    case 'object': return value === null ? null : faultOfStructure(value, depth, walk)
  }
}

function faultOfStructure(value: object, depth: number, walk: Walk): Fault | null {
  if (depth > MAX_JSON_DEPTH) return TOO_DEEP
  try {
    if (isConverted(value)) return faultOfConverted(value, depth, walk)
    return Array.isArray(value) ? faultOfItems(value, depth, walk) : faultOfProperties(value, depth, walk)
  } catch (error) {
    return fault(`cannot be read: ${firstLineOf(error)}`)
  }
}

function faultOfItems(items: readonly unknown[], depth: number, walk: Walk): Fault | null {
  // Not every(), which skips holes.
  for (let index = 0; index < items.length; index++) {
    if (--walk.left < 0) return TOO_MANY
    const found = faultOf(items[index], depth + 1, walk)
    if (found !== null) return within(found, index)
  }
  return null
}

function faultOfProperties(value: object, depth: number, walk: Walk): Fault | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    const reason = lossReason(value)
    if (reason !== null) return fault(reason)
  }
  for (const key of Object.keys(value)) {
    const property = (value as Record<string, unknown>)[key]
    if (property === undefined) continue
    if (--walk.left < 0) return TOO_MANY
    const found = faultOf(property, depth + 1, walk)
    if (found !== null) return within(found, key)
  }
  return null
}

interface Converted { toJSON(key: string): unknown }

function isConverted(value: object): value is Converted {
  return typeof (value as Partial<Converted>).toJSON === 'function'
}

function faultOfConverted(value: Converted, depth: number, walk: Walk): Fault | null {
  if (ArrayBuffer.isView(value)) return fault(lossReason(value)!)
  if (!walk.mayConvert) {
    return fault(types.isDate(value)
      ? 'is a Date, which JSON turns into a string: use its ISO string or milliseconds'
      : `is ${named(value)} with a toJSON(): use its return value`)
  }
  const converted = value.toJSON('')
  if (converted === null && types.isDate(value)) return fault('is a Date that is not valid')
  if (typeof converted !== 'object' || converted === null) return converted === undefined ? null : faultOf(converted, depth, walk)
  // JSON does not call toJSON again, even if it returned its own object.
  return Array.isArray(converted) ? faultOfItems(converted, depth, walk) : faultOfProperties(converted, depth, walk)
}

/** The first place where a value contains itself; null if there is none. */
function cycleIn(value: unknown, around: Set<unknown>, walk: Walk): Fault | null {
  if (typeof value !== 'object' || value === null || around.size > MAX_JSON_DEPTH || --walk.left < 0) return null
  if (around.has(value)) return fault('is circular: it contains itself')
  around.add(value)
  const held = walk.mayConvert && isConverted(value) ? value.toJSON('') : value
  for (const [key, inner] of Object.entries(held ?? {})) {
    const found = cycleIn(inner, around, walk)
    if (found !== null) return within(found, Array.isArray(held) ? Number(key) : key)
  }
  around.delete(value)
  return null
}

/** Why JSON would lose part of the value; null if it would not. A class instance arrives as its own properties. */
function lossReason(value: object): string | null {
  if (types.isPromise(value)) return 'is a Promise: await it'
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value))
    return `is ${named(value)}, which JSON turns into numbers or nothing: use base64 text`
  if (types.isBoxedPrimitive(value)) return `is ${named(value)} object: use the plain value`
  if (types.isMap(value)) return 'is a Map, which JSON drops: use Object.fromEntries(map) or [...map]'
  if (types.isSet(value)) return 'is a Set, which JSON drops: use [...set]'
  const isEmptied = types.isRegExp(value) || types.isNativeError(value) || types.isWeakMap(value) || types.isWeakSet(value) ||
    // A class instance without visible properties, such as URLSearchParams or one with private fields only. Object's prototype has no
    // prototype of its own.
    Object.keys(value).length === 0 && Object.getPrototypeOf(Object.getPrototypeOf(value)) !== null
  return isEmptied ? `is ${named(value)}, which JSON drops: use plain objects, arrays and strings` : null
}

function fault(reason: string): Fault {
  return { reason, keys: [] }
}

function within(found: Fault, key: string | number): Fault {
  if (found !== TOO_DEEP && found !== TOO_MANY) found.keys.push(key)
  return found
}

function said(name: string, found: Fault): string {
  return `${name}${placeOf(found)} ${found.reason}`
}

const MAX_PLACE_LENGTH = 200
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u

function placeOf({ keys }: Fault): string {
  let place = ''
  for (let index = keys.length - 1; index >= 0 && place.length < MAX_PLACE_LENGTH; index--) {
    const key = keys[index]!
    place += typeof key === 'number' ? `[${key}]` : NAME.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, MAX_PLACE_LENGTH))}]`
  }
  return place.length > MAX_PLACE_LENGTH ? `${place.slice(0, MAX_PLACE_LENGTH)}…` : place
}

function named(value: object): string {
  const { constructor } = value as { constructor?: unknown }
  const name = typeof constructor === 'function' && typeof constructor.name === 'string' ? constructor.name.slice(0, 60) : ''
  return name === '' || name === 'Object' ? 'an object' : `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`
}

const MAX_REASON_LENGTH = 200

function firstLineOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).split('\n', 1)[0]!.slice(0, MAX_REASON_LENGTH)
  } catch {
    return 'something was thrown that is not an Error'
  }
}
