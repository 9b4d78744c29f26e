import type { RedisStore } from '../../stores/store.ts'
import type { ExecutionAttempt } from '../../execution.ts'
import { isKey } from '../ledger-entry.ts'
import { cutAttempt } from '../limits.ts'
import type { AttemptToRecord } from '../result-backend.ts'
import { ATTEMPTS_KEPT_MS } from '../tally.ts'
import { packId } from './packed-id.ts'
import type { LedgerKeys } from './schema.ts'
import { createScript } from './script.ts'

const ATTEMPTS_A_SCRIPT = 500

export async function recordAttempts(store: RedisStore, keys: LedgerKeys, attempts: readonly AttemptToRecord[]): Promise<void> {
  const recordable = attempts.filter(each => isKey(each.executionId))
  for (let first = 0; first < recordable.length; first += ATTEMPTS_A_SCRIPT) {
    const batch = recordable.slice(first, first + ATTEMPTS_A_SCRIPT)
    await attemptsScript(
      store.client,
      [keys.executions, ...batch.map(each => keys.attempts(each.executionId))],
      [ATTEMPTS_KEPT_MS, ...batch.flatMap(each => [packId(each.executionId), each.attempt.attempt, JSON.stringify(cutAttempt(each.attempt))])]
    )
  }
}

export async function readAttempts(store: RedisStore, keys: LedgerKeys, executionId: string): Promise<ExecutionAttempt[]> {
  const stored = await store.client.hvals(keys.attempts(executionId))
  return stored.map(json => JSON.parse(json) as ExecutionAttempt).sort((a, b) => a.attempt - b.attempt)
}

/** Attempts of what never finishes are forgotten after a while; those of a recorded execution stay with it. */
const attemptsScript = createScript(`
for i = 2, #KEYS do
  local key = KEYS[i]
  local packed, attempt, payload = ARGV[i * 3 - 4], ARGV[i * 3 - 3], ARGV[i * 3 - 2]
  redis.call('HSETNX', key, attempt, payload)
  if redis.call('HEXISTS', KEYS[1], packed) == 0 then redis.call('PEXPIRE', key, ARGV[1]) end
end
return 0
`)
