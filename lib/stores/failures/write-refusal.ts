import { SCRIPT_ERROR } from '../redis/script-error.ts'
import { errorCodeOf } from './error-code.ts'
import { storeRefusalOf } from './store-refusal.ts'

/**
 * Why a reachable datastore refused a write, as part of a sentence without the datastore's own words; null if the error says something
 * else.
 */
export function writeRefusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = errorCodeOf(error)
  const lasting = storeRefusalOf(error)
  if (lasting) return lasting.reason
  const refusal = REFUSALS.find(([pattern]) =>
    (code !== null && pattern.test(code)) || (error.name === 'ReplyError' && pattern.test(error.message.replace(WITHIN_SCRIPT, ''))))
  return refusal?.[1] ?? writeRefusalOf(error.cause)
}

const WITHIN_SCRIPT = new RegExp(`^${SCRIPT_ERROR}`)

/** Also for a replica after a failover, which is temporary. */
export const READ_ONLY = 'it is read-only'

/** By the first word of a Redis reply, or by SQLSTATE. transient-error.ts has the sources. */
const REFUSALS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^OOM\b/, 'its memory is full'],
  [/^(?:READONLY\b|25006$)/, READ_ONLY],
  [/^MISCONF\b/, 'it cannot write to its disk'],
  [/^NOREPLICAS\b/, 'too few replicas are connected to it'],
  [/^MASTERDOWN\b/, 'it is a replica that lost its master'],
  [/^53100$/, 'its disk is full'],
  [/^53200$/, 'it is out of memory'],
  [/^58...$/, 'its disk or operating system fails']
]
