import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { UNKNOWN_PAUSE } from '../../lib/engine/pausing/queue-pause.ts'
import { enqueueAll, openQueues, startEngine, work } from '../contracts/engine-work.ts'
import { onEveryStore } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

t.test('the state of a queue has what waits, for how long, what runs, and whether it is paused', async t => {
  await onEveryStore(t, async (t, url) => {
    const { engine, store } = await startEngine(t, url)
    const queueOf = await openQueues(t, store)
    /** Pauses the queue as another program would. */
    async function setPaused(taskName: string, isPaused: boolean): Promise<void> {
      const queue = queueOf(taskName)
      await (isPaused ? queue.pause() : queue.resume())
    }

    const names = ['busy: 日報', 'empty', 'later', 'paused, empty', 'waits', ...Array.from({ length: 60 }, (_, index) => `other ${index}`)]
    const [busy, empty, later, paused, waits] = names as [string, string, string, string, string]
    work(t, engine, { taskName: busy, run: ({ signal }) => new Promise(resolve => signal.addEventListener('abort', resolve)) })
    await enqueueAll(engine, busy, [{}, {}, {}])
    await enqueueAll(engine, later, [{ delayMs: 60_000 }])
    await enqueueAll(engine, waits, [{}, { priority: 5 }])
    await setPaused(paused, true)
    await setPaused(waits, true)
    await waitFor('one to run', async () => (await engine.counts([busy])).get(busy)!.running === 1)
    await sleep(50)

    for (const asked of [names.slice(0, 5), names]) {
      const states = await engine.queues(asked)
      t.equal(states.size, asked.length)
      t.match(states.get(busy), { pending: 2, running: 1, pause: null })
      t.match(states.get(empty), { pending: 0, running: 0, oldestPendingMs: null, pause: null })
      t.match(states.get(later), { pending: 1, running: 0, oldestPendingMs: null, pause: null }, 'nothing is due')
      t.match(states.get(paused), { pending: 0, running: 0, oldestPendingMs: null, pause: UNKNOWN_PAUSE }, 'an empty queue can be paused')
      t.match(states.get(waits), { pending: 2, running: 0, pause: UNKNOWN_PAUSE })
      for (const name of [busy, waits]) t.ok(states.get(name)!.oldestPendingMs! >= 50 && states.get(name)!.oldestPendingMs! < 60_000, name)
    }
    await setPaused(waits, false)
    t.match((await engine.queues([waits])).get(waits), { pause: null })
    t.same([...await engine.queues([])], [])
  })
})
