/** The process that follows events is frozen between two of its steps, and another one takes over. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Follower } from '../../../lib/queue-app/observing/follow-events.ts'
import { createRecordingTurn } from '../../../lib/queue-app/observing/recording-turn.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import type { TestScope } from '../../support/servers/stores.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createFollowerOf, createObservedServer } from './observed-server.ts'

/** Resolves when it is opened; `isReached` once a caller waits for it. */
function createGate() {
  let open!: () => void
  const opened = new Promise<void>(resolve => { open = resolve })
  const gate = { isReached: false, open, pass: () => { gate.isReached = true; return opened } }
  return gate
}

/** Documents of one process, which has the lease or not. */
function documentsOf(shared: DocumentStore, isHolder: () => boolean): DocumentStore {
  return { ...shared, acquireLease: async () => isHolder() }
}

const positionOf = async (documents: DocumentStore) =>
  (await documents.list<{ position: string }>('observed-streams'))[0]?.value.position

function start(t: TestScope, follower: Follower): void {
  follower.start()
  t.teardown(() => follower.stop())
}

t.test('a job is recorded once, even if it was read before the freeze and is gone when the successor reads its event', async t => {
  const server = createObservedServer('emails')
  const shared = createMemoryDocuments()
  const gate = createGate()
  let holder = 'frozen'
  const frozen = createFollowerOf([server], {
    documents: documentsOf(shared, () => holder === 'frozen'), before: () => gate.isReached ? Promise.resolve() : gate.pass()
  })
  const successor = createFollowerOf([server], {
    documents: documentsOf(shared, () => holder === 'successor'), history: frozen.history
  })
  server.finish('1')
  start(t, frozen)
  await waitFor('the freeze', async () => gate.isReached)
  holder = 'successor'
  server.jobs.clear()
  start(t, successor)
  await waitFor('the successor', async () => frozen.history.length === 1)
  gate.open()
  await sleep(1_000)
  t.same(frozen.history.map(({ executionId }) => executionId), ['emails:1@1001-0'])
  t.same([...frozen.errors, ...successor.errors], [])
  holder = 'frozen'
  server.finish('2')
  await waitFor('the frozen process to record again', async () => frozen.history.length === 2)
  t.same(frozen.history.map(({ executionId }) => executionId.split('@')[0]), ['emails:1', 'emails:2'])
})

t.test('a turn from before the backend lost its data is void, even if the next turn has the same number', async t => {
  const documents = createMemoryDocuments()
  const [frozen, successor] = ['frozen', 'successor'].map(holder => createRecordingTurn(documents, holder))
  await frozen!.begin()
  await documents.delete('observed-turns', 'recording')
  await successor!.begin()
  t.equal(frozen!.fence()!.version, successor!.fence()!.version)
  await t.rejects(documents.putMany('positions', [{ id: 'one', value: 1 }], { onlyWhile: frozen!.fence()! }), { name: 'SupersededError' })
  await documents.putMany('positions', [{ id: 'one', value: 2 }], { onlyWhile: successor!.fence()! })
})

for (const [what, collection] of [['positions', 'observed-streams'], ['marks', 'observed-finishes']] as const) {
  t.test(`${what} that are written after the freeze do not replace those of the successor`, async t => {
    const server = createObservedServer('emails')
    const shared = createMemoryDocuments()
    const gate = createGate()
    let holder = 'frozen'
    const own = documentsOf(shared, () => holder === 'frozen')
    const frozen = createFollowerOf([server], {
      documents: {
        ...own,
        async putMany(into, written, options) {
          if (into === collection && !gate.isReached) await gate.pass()
          return shared.putMany(into, written, options)
        }
      }
    })
    const successor = createFollowerOf([server], {
      documents: documentsOf(shared, () => holder === 'successor'), history: frozen.history
    })
    server.finish('1')
    start(t, frozen)
    await waitFor('the freeze', async () => gate.isReached)
    holder = 'successor'
    server.finish('2')
    start(t, successor)
    await waitFor('the successor', async () => await positionOf(shared) === '1002-0')
    const before = await shared.list(collection)
    gate.open()
    await sleep(1_000)
    t.same(await shared.list(collection), before)
    t.equal(frozen.history.length, 2)
    t.same([...frozen.errors, ...successor.errors], [])
  })
}
