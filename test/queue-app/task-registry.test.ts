import t from 'tap'
import { createTaskRegistry } from '../../lib/queue-app/task-registry.ts'
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
