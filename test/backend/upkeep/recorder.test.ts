import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { createRecorder } from '../../../lib/backend/upkeep/recorder.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { until } from '../../contracts/result-backend.ts'
import { redisUrl, startPostgres, startRedis, testNamespace } from '../../support/servers/stores.ts'
import { makeExecution } from '../make-execution.ts'

async function openBackend(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  return backend
}

t.test('executions and attempts that workers report are written in the background', async t => {
  const backend = await openBackend(t, await redisUrl(t))
  const recorder = createRecorder({ backend, onError: t.fail })
  const execution = makeExecution({ attempt: 2 })
  const attempt = { attempt: 1, startedAt: 1, finishedAt: 2, workerId: 'w', error: null }
  recorder.recordAttempt(execution, attempt)
  recorder.record(execution)
  t.equal(recorder.status().queued, 2)
  await until(async () => await backend.find(execution.executionId) !== null)
  t.strictSame((await backend.find(execution.executionId))!.attempts[0], attempt)
  await until(() => recorder.status().queued === 0)
  t.equal(recorder.problem(), null)
})

t.test('flush() writes everything queued and returns true', async t => {
  const backend = await openBackend(t, await redisUrl(t))
  const recorder = createRecorder({ backend, flushEveryMs: 60_000, onError: t.fail })
  for (let i = 0; i < 3_000; i++) recorder.record(makeExecution())
  t.equal(await recorder.flush(10_000), true)
  t.equal((await backend.totals()).success, 3_000)
  t.equal(await recorder.flush(0), true, 'an empty queue counts as written')
})

t.test('what arrives while a batch is being written goes into one later batch', async t => {
  const batches: number[] = []
  let firstIsWritten = () => {}
  const recorder = createRecorder({
    backend: {
      async record(executions) {
        batches.push(executions.length)
        if (batches.length === 1) await new Promise<void>(resolve => { firstIsWritten = resolve })
        return executions.length
      },
      async recordAttempts() {},
      kept: () => Promise.reject(new Error('fresh executions must not be looked up in `kept`'))
    },
    flushEveryMs: 1_000,
    onError: t.fail
  })
  recorder.record(makeExecution())
  await until(() => batches.length === 1)
  recorder.record(makeExecution())
  firstIsWritten()
  await until(() => recorder.status().queued === 1)
  recorder.record(makeExecution())
  await until(() => recorder.status().queued === 0)
  t.strictSame(batches, [1, 2])
})

for (const [name, startServer] of [['Redis', startRedis], ['PostgreSQL', startPostgres]] as const) {
  t.test(`an outage of ${name} loses nothing that fits in the queue`, async t => {
    const server = await startServer(t)
    const backend = await openBackend(t, server.url)
    const errors: Error[] = []
    const recorder = createRecorder({ backend, onError: error => errors.push(error) })
    for (let i = 0; i < 700; i++) recorder.record(makeExecution())
    t.ok(await recorder.flush(10_000))
    await server.kill()
    for (let i = 0; i < 1_300; i++) recorder.record(makeExecution())
    await until(() => recorder.status().behindSinceMs !== null)
    t.equal(await recorder.flush(300), false, 'flush() ends in time')
    t.equal(recorder.status().queued, 1_300)
    t.match(recorder.problem(), /^1300 finished executions have been waiting/)
    t.match(recorder.status().lastError, { code: 'BACKEND_UNAVAILABLE' })
    await server.start()
    t.ok(await recorder.flush(20_000))
    t.equal((await backend.totals()).success, 2_000)
    t.strictSame(recorder.status(), { ...recorder.status(), queued: 0, dropped: 0, behindSinceMs: null })
    t.equal(recorder.problem(), null)
    t.equal(errors.length, 1, 'one outage is reported once')
  })
}

t.test('a full queue drops new records and reports it', async t => {
  const backend = await openBackend(t, await redisUrl(t))
  const errors: Error[] = []
  const recorder = createRecorder({ backend, maxQueued: 10, flushEveryMs: 60_000, onError: error => errors.push(error) })
  for (let i = 0; i < 25; i++) recorder.record(makeExecution())
  t.match(recorder.status(), { queued: 10, dropped: 15 })
  t.match(recorder.problem(), /15 records did not fit/)
  t.equal(errors.length, 1)
  t.ok(await recorder.flush(10_000))
  t.equal((await backend.totals()).success, 10)
})

t.test('a record that is always refused does not block the others', async t => {
  const backend = await openBackend(t, await redisUrl(t))
  const errors: Error[] = []
  const poisoned = makeExecution()
  const recorder = createRecorder({
    backend: {
      ...backend,
      record: executions => executions.includes(poisoned) ? Promise.reject(new Error('refused')) : backend.record(executions)
    },
    batchSize: 4,
    onError: error => errors.push(error)
  })
  for (let i = 0; i < 40; i++) recorder.record(i === 20 ? poisoned : makeExecution())
  const feeding = setInterval(() => recorder.record(makeExecution()), 20)
  t.teardown(() => clearInterval(feeding))
  await until(() => recorder.status().refused === 1)
  clearInterval(feeding)
  t.equal(recorder.status().dropped, 0)
  t.match(recorder.problem(), /1 records were refused by the result backend; the reconciler retries them/)
  t.ok(await recorder.flush(10_000))
  t.ok((await backend.totals()).success >= 39)
  t.match(errors.at(-1)?.message, /refused a record/)
})

t.test('the queue also has a limit in bytes, but one record of any size fits', async t => {
  const backend = await openBackend(t, await redisUrl(t))
  const errors: Error[] = []
  const recorder = createRecorder({ backend, maxQueuedBytes: 100_000, flushEveryMs: 60_000, onError: error => errors.push(error) })
  recorder.record(makeExecution({ result: 'x'.repeat(200_000) }))
  t.match(recorder.status(), { queued: 1, dropped: 0 }, 'the first fits, whatever its size')
  recorder.record(makeExecution())
  t.match(recorder.status(), { queued: 1, dropped: 1 })
  t.match(errors[0]?.message, /full \(1 records, 19\d KiB\)/)
  t.ok(await recorder.flush(10_000))
  t.match(recorder.status(), { queued: 0, queuedBytes: 0 })
  for (let i = 0; i < 200; i++) recorder.record(makeExecution({ args: [{ text: 'x'.repeat(1_000) }] }))
  const { queued, queuedBytes } = recorder.status()
  t.ok(queued > 20 && queued < 100 && queuedBytes <= 100_000, `${queued} records of a thousand characters`)
  t.ok(await recorder.flush(10_000))
  t.equal(recorder.status().queuedBytes, 0)
})

t.test('a problem warns when an outage lasts almost as long as the broker keeps finished executions', async t => {
  const recorder = createRecorder({
    backend: {
      record: () => Promise.reject(new Error('away')), recordAttempts: () => Promise.reject(new Error('away')),
      kept: () => Promise.reject(new Error('away'))
    },
    keptByBrokerMs: 4_000,
    onError() {}
  })
  recorder.record(makeExecution())
  await until(() => recorder.problem() !== null)
  t.match(recorder.problem(), /^1 finished executions have been waiting to be written to the history since [^;]*$/)
  await until(() => /; the broker drops executions/.test(recorder.problem()!))
  t.match(recorder.problem(), /records not written by 20\S+Z may be lost$/)
})

t.test('a record is left to the reconciler if it waited so long that it may have been written and pruned', async t => {
  const backend = await openBackend(t, await redisUrl(t))
  const now = Date.now()
  const removed = makeExecution({ finishedAt: now - 600_000 })
  const kept = makeExecution({ finishedAt: now - 590_000 })
  const fresh = makeExecution({ finishedAt: now })
  await backend.record([removed])
  const limits = { maxAgeMs: 595_000, maxCount: 1_000 }
  t.equal((await backend.prune({ success: limits, failed: limits },
    { nowMs: now, keepAfterMs: now - 300_000, brokerHasAfterMs: Infinity, limit: 10 })).removed, 1)
  const recorder = createRecorder({ backend, onError: t.fail })
  for (const each of [removed, kept, fresh]) recorder.record(each)
  t.ok(await recorder.flush(10_000))
  t.equal((await backend.totals()).success, 3)
  t.strictSame(await backend.missing([removed, kept, fresh].map(each => each.executionId)), [removed.executionId])
})
