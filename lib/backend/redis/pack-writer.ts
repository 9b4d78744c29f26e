import { toStorable } from '../entry/storable-text.ts'
import { PACKED_UUID_BYTES, writePackedUuid } from './packed-id.ts'

/**
 * Writes one MessagePack value for `cmsgpack.unpack` in a script. Sending a batch as a single parameter costs the client a tenth of what
 * thousands of parameters cost.
 */
export interface PackWriter {
  /** Must be followed by `length` values. */
  array(length: number): void
  /** Well-formed text, as returned by `toStorable` and JSON. */
  text(text: string): void
  /** An execution id in packed form. */
  id(executionId: string): void
  /** A whole number from 0 to 4,294,967,295. */
  number(value: number): void
  /** Everything that `write` writes, as a single byte string. */
  packed(write: () => void): void
  texts(texts: ReadonlyArray<string | number>): void
  /** Whole numbers from 0 to 65,535. */
  positions(positions: readonly number[]): void
  /** A map: each function writes the value for its name. */
  map(fields: Readonly<Record<string, () => void>>): void
  /** A map of names to positions. */
  lists(lists: ReadonlyMap<string, readonly number[]>): void
  /**
   * Any value: maps, lists, booleans, bytes, text. Numbers become text, as in ARGV, because Lua would round long ones when it prints them.
   */
  value(value: LuaValue): void
  /** Copies what was written and starts over. */
  toBuffer(): Buffer
}

/** Undefined values are omitted from their map, so they are nil in a script. */
export type LuaValue = string | number | boolean | Buffer | readonly LuaValue[] | LuaMap
export interface LuaMap { readonly [name: string]: LuaValue | undefined }

/** Shorter text is written by hand, which is faster than a call out of JavaScript. */
const SHORT = 32

export function createPackWriter(): PackWriter {
  let bytes = Buffer.allocUnsafe(256 * 1024)
  let at = 0

  function reserve(count: number): void {
    if (at + count <= bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(bytes.length * 2, at + count))
    bytes.copy(grown, 0, 0, at)
    bytes = grown
  }

  function number32(mark: number, value: number): void {
    bytes[at] = mark
    at = bytes.writeUInt32BE(value, at + 1)
  }

  function shortText(text: string): boolean {
    if (text.length >= SHORT) return false
    bytes[at] = 0xa0 + text.length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) return false
      bytes[at + 1 + i] = code
    }
    at += 1 + text.length
    return true
  }

  function text(text: string): void {
    reserve(text.length * 3 + 5)
    if (shortText(text)) return
    const length = bytes.write(text, at + 5)
    number32(0xdb, length)
    at += length
  }

  function array(length: number): void {
    reserve(5)
    if (length < 16) bytes[at++] = 0x90 + length
    else number32(0xdd, length)
  }

  function mapOf(size: number): void {
    reserve(5)
    if (size < 16) bytes[at++] = 0x80 + size
    else number32(0xdf, size)
  }

  function value(given: LuaValue): void {
    if (typeof given === 'string') return text(given)
    if (typeof given === 'number') return text(String(given))
    if (typeof given === 'boolean') {
      reserve(1)
      bytes[at++] = given ? 0xc3 : 0xc2
    } else if (Buffer.isBuffer(given)) {
      reserve(given.length + 5)
      number32(0xdb, given.length)
      at += given.copy(bytes, at)
    } else if (isList(given)) {
      array(given.length)
      for (const each of given) value(each)
    } else {
      const fields = Object.entries(given).filter((entry): entry is [string, LuaValue] => entry[1] !== undefined)
      mapOf(fields.length)
      for (const [name, each] of fields) {
        text(name)
        value(each)
      }
    }
  }

  function positions(positions: readonly number[]): void {
    array(positions.length)
    reserve(positions.length * 3)
    for (const position of positions) {
      bytes[at++] = 0xcd
      bytes[at++] = position >> 8
      bytes[at++] = position & 255
    }
  }

  return {
    array,
    text,
    positions,
    value,
    map(fields) {
      const entries = Object.entries(fields)
      mapOf(entries.length)
      for (const [name, write] of entries) {
        text(name)
        write()
      }
    },
    id(executionId) {
      reserve(PACKED_UUID_BYTES + 1)
      if (writePackedUuid(bytes, at + 1, executionId)) {
        bytes[at] = 0xa0 + PACKED_UUID_BYTES
        at += PACKED_UUID_BYTES + 1
      } else {
        text(toStorable(executionId))
      }
    },
    number(value) {
      reserve(5)
      if (value < 0x80) bytes[at++] = value
      else if (value < 0x10000) {
        bytes[at++] = 0xcd
        bytes[at++] = value >> 8
        bytes[at++] = value & 255
      } else {
        number32(0xce, value)
      }
    },
    packed(write) {
      reserve(5)
      const start = at
      at += 5
      write()
      bytes[start] = 0xdb
      bytes.writeUInt32BE(at - start - 5, start + 1)
    },
    texts(texts) {
      array(texts.length)
      for (const each of texts) text(String(each))
    },
    lists(lists) {
      mapOf(lists.size)
      for (const [name, members] of lists) {
        text(name)
        positions(members)
      }
    },
    toBuffer() {
      const written = Buffer.from(bytes.subarray(0, at))
      at = 0
      return written
    }
  }
}

function isList(value: LuaMap | readonly LuaValue[]): value is readonly LuaValue[] {
  return Array.isArray(value)
}
