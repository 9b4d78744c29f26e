import t from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { makeExecution } from '../make-execution.ts'
import { openRedisBackend } from './open-backend.ts'

t.test("a history in another format is refused, and one in this version's format opens again", async t => {
  const { store, backend, keys } = await openRedisBackend(t)
  await backend.record([makeExecution()])
  const processes = Array.from({ length: 5 }, () => createResultBackend(store))
  await Promise.all(processes.map(each => each.start()))
  t.equal((await processes[0]!.totals()).success, 1)
  const format = Number(await store.client.get(keys.format))
  await store.client.set(keys.format, format + 1)
  await t.rejects(processes[0]!.start(), { code: 'STORE_UNSUITABLE', message: /a newer version/ })
  await store.client.set(keys.format, format - 1)
  await t.rejects(processes[0]!.start(), { code: 'STORE_UNSUITABLE', message: /an older version/ })
  t.equal(await store.client.get(keys.format), String(format - 1), 'and is left unchanged')
})
