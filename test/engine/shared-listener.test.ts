import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createSharedListener } from '../../lib/engine/shared-listener.ts'
import type { SqlPool } from '../../lib/stores/store.ts'

t.test('listeners that share a connection use it one after the other, also after one was refused', async t => {
  let running = 0
  let most = 0
  const client = Object.assign(new EventEmitter(), {
    async query(text: string) {
      most = Math.max(most, ++running)
      await sleep(1)
      running--
      if (text === 'refused') throw new Error('refused')
      return { rows: [{ text }], rowCount: 1 }
    },
    release() {}
  })
  const pool = { connect: async () => client, query: client.query } as unknown as SqlPool
  const listener = createSharedListener(pool)
  const ears = await Promise.all([1, 2, 3].map(() => listener.pool.connect()))
  const answers = await Promise.allSettled(ears.flatMap(ear => ['a', 'refused', 'b'].map(text => ear.query(text))))
  t.equal(most, 1)
  t.same(answers.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  await listener.close()
})
