import type { RedisStore } from '../../../stores/store.ts'
import type { ExecutionAttempt } from '../../../execution.ts'
import { isKey } from '../../entry/ledger-entry.ts'
import { cutAttempt } from '../../entry/limits.ts'
import type { AttemptToRecord } from '../../result-backend.ts'
import { ATTEMPTS_KEPT_MS } from '../../counting/tally.ts'
import { packId } from '../packed-id.ts'
import { KEY_NAMES, type LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

const ATTEMPTS_PER_SCRIPT = 500

export async function recordAttempts(store: RedisStore, keys: LedgerKeys, attempts: readonly AttemptToRecord[]): Promise<void> {
  const recordable = attempts.filter(each => isKey(each.executionId))
  for (let first = 0; first < recordable.length; first += ATTEMPTS_PER_SCRIPT) {
    const batch = recordable.slice(first, first + ATTEMPTS_PER_SCRIPT)
    await attemptsScript(store.client, [keys.executions, keys.absent], {
      prefix: keys.prefix,
      attempts: batch.map(each => ({
        id: packId(each.executionId), attempt: each.attempt.attempt, json: JSON.stringify(cutAttempt(each.attempt))
      }))
    })
  }
}

export async function readAttempts(store: RedisStore, keys: LedgerKeys, packedId: Buffer): Promise<ExecutionAttempt[]> {
  const stored = await store.client.hvals(keys.attempts(packedId))
  return stored.map(json => JSON.parse(json) as ExecutionAttempt).sort((a, b) => a.attempt - b.attempt)
}

/** Attempts of executions that never finish expire after a while; those of a recorded execution stay. */
const attemptsScript = createScript(`
for _, each in ipairs(given.attempts) do
  local key = given.prefix .. '${KEY_NAMES.attempts}' .. each.id
  redis.call('HSETNX', key, each.attempt, each.json)
  if redis.call('HEXISTS', KEYS[1], each.id) == 0 then redis.call('PEXPIRE', key, ${ATTEMPTS_KEPT_MS}) end
end
return 0
`)
