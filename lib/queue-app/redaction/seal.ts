import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { toJson } from '../../backend/entry/limits.ts'
import { isObject } from '../../json/is-object.ts'

/** Keeps what redaction removes from the arguments of failed executions, encrypted, so that a retry can run with the real values. */
export interface SealOptions {
  /** 32 random bytes, as base64 or hexadecimal text or as bytes. Arguments of new failures are sealed with it. */
  key: string | Uint8Array
  /** Keys that were `key` before. They only open what they sealed. Default: none. */
  earlierKeys?: ReadonlyArray<string | Uint8Array>
}

/** Never shown or searched. AES-256-GCM with a random 96-bit nonce, see NIST SP 800-38D. */
export interface Seal {
  /** @returns null if the arguments are larger than MAX_SEALED_BYTES as JSON */
  close(executionId: string, args: readonly unknown[]): string | null
  open(executionId: string, sealed: string): OpenedSeal
}

export type OpenedSeal = { readonly args: readonly unknown[] } | { readonly problem: string }

/** The largest size of the arguments as JSON. */
export const MAX_SEALED_BYTES = 256 * 1024

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

interface Key { readonly id: string; readonly bytes: Uint8Array }

/** @param options null: nothing is sealed, and what other processes sealed cannot be opened */
export function createSeal(options: SealOptions | null): Seal {
  const [current, ...earlier] = options === null ? [] : [options.key, ...options.earlierKeys ?? []].map(toKey)
  const keys = new Map([current, ...earlier].flatMap(key => key === undefined ? [] : [[key.id, key.bytes] as const]))

  return {
    close(executionId, args) {
      if (current === undefined) return null
      const json = Buffer.from(toJson(args))
      if (json.length > MAX_SEALED_BYTES) return null
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(associatedWith(executionId))
      const text = Buffer.concat([cipher.update(json), cipher.final()])
      return [VERSION, current.id, Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')].join('.')
    },
    open(executionId, sealed) {
      const [version, id = '', body = ''] = sealed.split('.')
      const key = keys.get(id)
      if (version !== VERSION || key === undefined)
        return { problem: `They are sealed with a key that this process does not have: add the key with the id ${id} to redact.seal` }
      try {
        const bytes = Buffer.from(body, 'base64url')
        const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)]
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(associatedWith(executionId))
        const json = Buffer.concat([decipher.setAuthTag(tag).update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
        return { args: JSON.parse(json.toString()) as readonly unknown[] }
      } catch {
        return { problem: 'Their seal is broken: the result backend holds something else than was sealed' }
      }
    }
  }
}

/** Binds a seal to its execution, so that it can be opened only for that one. */
function associatedWith(executionId: string): Buffer {
  return Buffer.from(executionId)
}

/** The id distinguishes keys, but reveals nothing about the key. */
function toKey(key: string | Uint8Array): Key {
  // The caller may wipe its own copy.
  const bytes = Uint8Array.from(keyBytes(key)!)
  return { bytes, id: createHash('sha256').update('seal key id').update(bytes).digest('hex').slice(0, 16) }
}

/** Null if it is not a key. */
function keyBytes(key: unknown): Uint8Array | null {
  const bytes = typeof key !== 'string'
    ? key instanceof Uint8Array ? key : null
    : /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : /^[\w+/-]{43}=?$/.test(key) ? Buffer.from(key, 'base64') : null
  return bytes?.length === KEY_BYTES ? bytes : null
}

/** Every problem with the option, in words. Never contains the key. */
export function sealProblems(seal: unknown): string[] {
  if (!isObject(seal)) return ['redact.seal must be an object']
  const { key, earlierKeys = [], ...rest } = seal
  const needed = `must be ${KEY_BYTES} bytes, as base64 or hexadecimal text or as a Uint8Array: make one with ` +
    '`openssl rand -base64 32`'
  return [
    ...Object.keys(rest).map(name => `redact.seal.${name} is not an option`),
    ...keyBytes(key) === null ? [`redact.seal.key ${needed}`] : [],
    ...Array.isArray(earlierKeys)
      ? earlierKeys.flatMap((each, index) => keyBytes(each) === null ? [`redact.seal.earlierKeys[${index}] ${needed}`] : [])
      : ['redact.seal.earlierKeys must be an array']
  ]
}
