import { absentKey } from '../../stores/redis/absent-key.ts'
import type { Store } from '../../stores/store.ts'
import type { TakenLocks } from './lost-takes.ts'

export function createTakenLocks(store: Store): TakenLocks {
  if (store.kind !== 'redis') {
    return {
      async locks(queueName, tokenPrefix) {
        const { rows } = await store.requestPool.query<{ id: string; token: string }>(
          `SELECT id, lock_token AS token FROM "${store.schema}_queue".job WHERE queue = $1 AND state = 'active' AND ` +
            'starts_with(lock_token, $2)',
          [queueName, tokenPrefix])
        return rows
      },
      // A statement fails together with its connection.
      lostConnections: () => 0
    }
  }
  let lost = 0
  store.patientClient.on('close', () => { lost++ })
  return {
    async locks(queueName, tokenPrefix) {
      const keys = [`${store.keyPrefix}:${queueName}:`, absentKey(store.keyPrefix)]
      const found = await store.client.eval(LOCKS, keys.length, ...keys, tokenPrefix) as string[]
      return Array.from({ length: found.length / 2 }, (_, index) => ({ id: found[2 * index]!, token: found[2 * index + 1]! }))
    },
    lostConnections: () => lost
  }
}

const LOCKS = `
local found = {}
for _, id in ipairs(redis.call('LRANGE', KEYS[1] .. 'active', 0, -1)) do
  local token = redis.call('GET', KEYS[1] .. id .. ':lock')
  if token and string.sub(token, 1, #ARGV[1]) == ARGV[1] then
    found[#found + 1] = id
    found[#found + 1] = token
  end
end
return found`
