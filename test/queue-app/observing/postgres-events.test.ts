import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { SeenQueue } from '../../../lib/engine/observing/discovery.ts'
import { createObservedPostgres } from '../../../lib/engine/observing/postgres/postgres-server.ts'
import { createStreamReader, type StreamsPart } from '../../../lib/queue-app/observing/streams/read-streams.ts'
import type { ReadDatabase } from '../../../lib/stores/postgres/observing/read-database.ts'
import { DeadlineError } from '../../../lib/time/deadline.ts'

t.test('events of a table that is locked for a while are read afterwards, and none is skipped', async t => {
  let isLocked = true
  const database = {
    async read(text: string) {
      if (isLocked) throw new DeadlineError('the database did not answer')
      return text.includes('pg_locks')
        ? [{ is_standby: false, replayed_at: null, writers: [] }]
        : [{ queue: 'emails', table: 1, id: '7', event: 'completed', data: { jobId: '1' }, small: null, created_at_ms: '1000' }]
    },
    ping: async () => 1
  } as unknown as ReadDatabase
  const server = createObservedPostgres(database)
  const queue: SeenQueue = { taskName: 'emails', name: 'emails', prefix: 'bullmq', server, firstSeenAt: 0, lastSeenAt: 0 }
  const reader = createStreamReader()
  const round = async (): Promise<StreamsPart[]> => {
    const parts: StreamsPart[] = []
    try {
      for await (const part of reader.read(server, [queue], () => '0-0')) parts.push(part)
    } catch {
      // The next round tries again.
    }
    // Lets separate reads settle.
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    return parts
  }
  for (let tries = 0; tries < 20; tries++) t.same(await round(), [])
  isLocked = false
  const parts = [...await round(), ...await round()]
  t.match(parts[0]?.events.get('emails'), [{ id: '1000-0-7' }])
})
