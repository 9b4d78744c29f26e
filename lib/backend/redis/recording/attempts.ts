import type { RedisStore } from '../../../stores/store.ts'
import type { ExecutionAttempt } from '../../../execution.ts'
import { isKey } from '../../entry/ledger-entry.ts'
import { cutAttempt } from '../../entry/limits.ts'
import type { AttemptToRecord } from '../../result-backend.ts'
import { ATTEMPTS_KEPT_MS } from '../../counting/tally.ts'
import { packId } from '../packed-id.ts'
import type { LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

const ATTEMPTS_A_SCRIPT = 500

export async function recordAttempts(store: RedisStore, keys: LedgerKeys, attempts: readonly AttemptToRecord[]): Promise<void> {
  const recordable = attempts.filter(each => isKey(each.executionId))
  for (let first = 0; first < recordable.length; first += ATTEMPTS_A_SCRIPT) {
    const batch = recordable.slice(first, first + ATTEMPTS_A_SCRIPT)
    await attemptsScript(
      store.client,
      [keys.executions],
      [keys.prefix, ATTEMPTS_KEPT_MS, ...batch.flatMap(each => [packId(each.executionId), each.attempt.attempt, JSON.stringify(cutAttempt(each.attempt))])]
    )
  }
}

export async function readAttempts(store: RedisStore, keys: LedgerKeys, packedId: Buffer): Promise<ExecutionAttempt[]> {
  const stored = await store.client.hvals(keys.attempts(packedId))
  return stored.map(json => JSON.parse(json) as ExecutionAttempt).sort((a, b) => a.attempt - b.attempt)
}

/** Attempts of what never finishes are forgotten after a while; those of a recorded execution stay with it. */
const attemptsScript = createScript(`
for i = 3, #ARGV, 3 do
  local key = ARGV[1] .. 'attempts:' .. ARGV[i]
  redis.call('HSETNX', key, ARGV[i + 1], ARGV[i + 2])
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 then redis.call('PEXPIRE', key, ARGV[2]) end
end
return 0
`)
