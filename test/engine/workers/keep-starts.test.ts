import type { IQueueBackend } from 'bullmq'
import t from 'tap'
import { keepStarts } from '../../../lib/engine/workers/keep-starts.ts'
import type { Store } from '../../../lib/stores/store.ts'

// The broker makes a retry due at this time plus this delay. A time read from the clock again could be a millisecond later.
const FAILED_AT = 1_000
const BACKOFF_MS = 300

t.test('a start is kept together with the time from which the broker counts the back-off', async t => {
  const kept: unknown[][] = []
  const stores = {
    redis: {
      kind: 'redis', keyPrefix: 'p',
      client: { eval: async (_script: string, _keys: number, ...values: unknown[]) => { kept.push(values) } }
    },
    postgres: { kind: 'postgres', schema: 's', query: async (_sql: string, values: unknown[]) => { kept.push(values) } }
  }
  const moved: unknown[][] = []
  for (const store of Object.values(stores)) {
    const broker = { moveToDelayed: async (...call: unknown[]) => { moved.push(call) } } as unknown as IQueueBackend
    await keepStarts(broker, store as unknown as Store, 'mail').moveToDelayed('1', FAILED_AT, BACKOFF_MS, 'token')
  }
  t.same(moved, [['1', FAILED_AT, BACKOFF_MS, 'token'], ['1', FAILED_AT, BACKOFF_MS, 'token']])
  t.same(kept.map(values => values.filter(value => typeof value === 'number')), [
    [FAILED_AT, BACKOFF_MS],
    [FAILED_AT, BACKOFF_MS]
  ])
})
