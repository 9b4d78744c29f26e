import { createTaskDashboardError } from '../../errors.ts'
import type { RedisStore } from '../../stores/store.ts'
import type { LedgerKeys } from './schema.ts'
import { createScript } from './script.ts'

/**
 * Version of the data under the keys of `schema.ts`. Increase it with each change that an older version would not understand. Version 1 was
 * never released.
 */
const FORMAT = 2

/**
 * Marks new data with its format; safe when several processes start at once. Rejects with STORE_UNSUITABLE if another version wrote data
 * that this one does not understand.
 */
export async function prepareLedger(store: RedisStore, keys: LedgerKeys): Promise<void> {
  const found = Number(await prepareScript(store.client, [keys.format, keys.totals], { now: Date.now() }))
  if (found !== FORMAT) {
    throw createTaskDashboardError('STORE_UNSUITABLE', [
      'result backend', store.label,
      `its history has format ${found}, written by ${found > FORMAT ? 'a newer' : 'an older'} version of this package; ` +
        `this one knows format ${FORMAT}`
    ])
  }
}

const prepareScript = createScript(`
local format = redis.call('GET', KEYS[1])
if not format then
  redis.call('HSETNX', KEYS[2], 'since', given.now)
  redis.call('SET', KEYS[1], ${FORMAT})
end
return tonumber(format or ${FORMAT})
`)
