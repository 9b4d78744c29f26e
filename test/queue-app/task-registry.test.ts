import t from 'tap'
import { createRegisteredTask } from '../../lib/queue-app/task.ts'
import { createTaskRegistry, CUT_OFF_AFTER_MS } from '../../lib/queue-app/task-registry.ts'
import type { DocumentStore } from '../../lib/stores/documents.ts'

t.test('what is recent is answered without waiting, and read again in the background', async t => {
  let at = 1_000_000
  let names = ['a']
  let reads = 0
  const documents = {
    async list(collection: string) {
      if (collection === 'processes') return []
      reads++
      return names.map(name => ({ id: name, version: 1, value: { name, lastSeenAt: at } }))
    }
  } as unknown as DocumentStore
  const registry = createTaskRegistry({ documents, workerId: 'w', local: () => [], unwrittenSince: () => null, recordingProblem: () => null, onError: error => t.fail(error.message), now: () => at })
  const recent = async () => (await registry.recent()).tasks.map(({ name }) => name)

  t.same(await recent(), ['a'])
  names = ['a', 'b']
  t.same(await recent(), ['a'])
  t.equal(reads, 1, 'nothing is read within a second')
  at += 1_500
  t.same(await recent(), ['a'], 'as known before')
  t.equal(reads, 2)
  await new Promise(resolve => setImmediate(resolve))
  t.same(await recent(), ['a', 'b'], 'as read meanwhile')
  names = ['c']
  at += 10_000
  t.same(await recent(), ['c'], 'what is older than ten seconds is not answered')
})

t.test('a heartbeat names the tasks whose worker reaches the broker, and counts the others', async t => {
  const put: unknown[] = []
  const documents = {
    getMany: async (_collection: string, ids: string[]) => ids.map(() => null),
    async put(collection: string, _id: string, value: unknown) { if (collection === 'processes') put.push(value) },
    async delete() {}
  } as unknown as DocumentStore
  const silentFor = new Map([['a', 0], ['b', CUT_OFF_AFTER_MS]])
  const local = () => [...silentFor.keys()].map(name => createRegisteredTask(name, () => {}, {}))
  const registry = createTaskRegistry({
    documents, workerId: 'w', local, silentForMs: name => silentFor.get(name)!, unwrittenSince: () => null, recordingProblem: () => null, onError: error => t.fail(error.message)
  })
  await registry.publish()
  silentFor.set('a', CUT_OFF_AFTER_MS + 1)
  await registry.publish()
  silentFor.set('a', 1).set('b', 1)
  await registry.publish()
  t.match(put, [{ tasks: ['a'], unreachable: 1 }, { tasks: [], unreachable: 2 }, { tasks: ['a', 'b'], unreachable: 0 }])
})
