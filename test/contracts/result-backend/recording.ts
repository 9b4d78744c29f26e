import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { CountedSchedules, FinishedQuery } from '../../../lib/backend/result-backend.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { type OpenStore, freshBackend, namespacedStore } from './fresh-backend.ts'
import { listed } from './model.ts'
import { assertUnavailable } from './unavailable.ts'

const HOSTILE_TEXTS = [
  'NUL \u0000 inside', 'lone \ud800 high', 'lone \udfff low', 'emoji 🦊 and 日報', '</script><script>alert(1)</script>', '../../etc/passwd',
  '\u0001\u0001' + 'escapes \\ \' " ` {} , NULL', '\r\n\t\v', 'x'.repeat(10_000), 'NULL', '{}', ''
]

/** Everything written is read back unchanged, once. */
export function recordingContract(t: Test, openStore: OpenStore): void {
  t.test('a recorded execution is read back complete', async t => {
    const backend = await freshBackend(await openStore(t))
    const execution = makeExecution({
      status: 'failed',
      attempt: 3,
      maxAttempts: 3,
      priority: 7,
      scheduleId: randomUUID(),
      retryOf: randomUUID(),
      progress: { done: 3 },
      args: [1, null, { deep: ['x'] }],
      result: { partial: true },
      logs: ['one', 'two'],
      durationMs: 20.5,
      waitMs: null,
      startedAt: null,
      workerId: null,
      truncated: ['/elsewhere']
    })
    t.equal(await backend.record([execution]), 1)
    t.strictSame(await backend.find(execution.executionId), execution)
    const { executions } = await backend.list({ order: 'newest', limit: 10 })
    t.strictSame(executions, [listed(execution)], 'a list omits payloads')
    t.equal(await backend.find(randomUUID()), null)
    const plain = makeExecution({ args: null, attempts: [] })
    const usual = makeExecution({ args: [], queue: 'email:send' })
    await backend.record([plain, usual])
    t.strictSame(await backend.find(plain.executionId), plain, 'null and empty stay as they were')
    t.strictSame(await backend.find(usual.executionId), usual)
  })

  t.test('failed executions keep their arguments up to the configured size, and others are cut at the default limit', async t => {
    const store = namespacedStore(await openStore(t))
    const [usual, larger] = [createResultBackend(store), createResultBackend(store, { failedArgsBytes: 200_000 })]
    await usual.start()
    await larger.start()
    // Two quotes and two brackets belong to the JSON.
    const sized = (status: 'failed' | 'success', bytes: number) => makeExecution({ status, args: ['é'.repeat(bytes / 2 - 2)] })
    const [fits, tooLarge, success] = [sized('failed', 200_000), sized('failed', 200_002), sized('success', 70_000)]
    const earlier = sized('failed', 70_000)
    await usual.record([earlier])
    await larger.record([fits, tooLarge, success])
    for (const backend of [usual, larger]) {
      t.strictSame(await backend.find(fits.executionId), fits)
      t.strictSame(await backend.findMany([fits.executionId]), [fits])
      const [light] = await backend.findMany([fits.executionId, 'unknown'], { payloads: false })
      t.match(light, { executionId: fits.executionId, status: 'failed', finishedAt: fits.finishedAt, args: null, attempts: [], logs: [] })
      for (const cut of [tooLarge, success, earlier])
        t.match(await backend.find(cut.executionId), { args: [/^\["é{8190}$/], truncated: ['/args'] })
    }
  })

  t.test('hostile text is read back identical from every field', async t => {
    const backend = await freshBackend(await openStore(t))
    for (const text of HOSTILE_TEXTS) {
      const key = `k${text}`.slice(0, 300)
      const execution = makeExecution({
        executionId: key,
        taskName: key,
        queue: key,
        scheduleId: key,
        retryOf: key,
        workerId: key,
        errorGroup: key,
        status: 'failed',
        progress: text.slice(0, 300),
        error: { type: key.slice(0, 200), message: text.slice(0, 8192), stack: text },
        args: [text, { [text]: text }],
        result: { [text]: [text] },
        logs: [text]
      })
      t.equal(await backend.record([execution]), 1)
      t.equal(await backend.record([execution]), 0)
      t.strictSame(await backend.find(key), execution)
      const exact = [{ taskName: key }, { scheduleId: key }, { taskName: key, scheduleId: key }, { workerId: key }, { errorGroup: key }]
      for (const query of [
        ...exact, { taskName: key, text: [{ in: 'path', path: [text], value: text }] }
      ] satisfies Array<Partial<FinishedQuery>>) {
        const { executions } = await backend.list({ ...query, order: 'newest', limit: 5 })
        t.strictSame(executions, [listed(execution)], JSON.stringify(query).slice(0, 60))
      }
      t.strictSame(await backend.retriesOf(key), [listed(execution)])
      const [group, ...others] = (await backend.failureGroups({ taskName: key, limit: 5 })).groups
      t.match(group, { errorGroup: key, type: key.slice(0, 200), message: text.slice(0, 500), count: 1, lastExecutionId: key })
      t.strictSame(group?.tasks, [{ taskName: key, count: 1 }])
      t.equal(others.length, 0)
      t.strictSame(await backend.missing([key, `not ${key}`]), [`not ${key}`])
      t.equal((await backend.taskTotals()).get(key)?.last?.executionId, key)
      t.equal((await backend.scheduleTotals([key])).get(key)?.failed, 1)
      await backend.saveWatermarks(new Map([[key, 5]]))
      t.equal((await backend.watermarks()).get(key), 5)
      const error = { type: text.slice(0, 200), message: text.slice(0, 8192), stack: null }
      const attempt = { attempt: 1, startedAt: null, finishedAt: 3, workerId: key, error }
      await backend.recordAttempts([{ executionId: `unfinished ${key}`, taskName: key, attempt }])
      t.strictSame(await backend.attemptsOf(`unfinished ${key}`), [attempt])
      t.equal(await backend.find(`never ${text}`), null)
      t.strictSame(
        (await backend.list({
          order: 'oldest', limit: 5, taskName: `never ${text}`, after: { finishedAt: 1, executionId: text }
        })).executions,
        []
      )
      await backend.forgetSchedule(key)
      t.equal((await backend.scheduleTotals([key])).size, 0)
    }
  })

  t.test('schedules with counters are listed by page, and their counters can move to another id', async t => {
    const backend = await freshBackend(await openStore(t))
    const ids = Array.from({ length: 700 }, (_, i) => `schedule ${i} \u0000 é`)
    for (const chunk of [ids.slice(0, 400), ids.slice(400)])
      await backend.record(chunk.map(scheduleId => makeExecution({ scheduleId, durationMs: null })))
    await backend.forgetSchedule(ids[0]!)
    const told: string[] = []
    let cursor: string | null = null
    do {
      const page: CountedSchedules = await backend.countedSchedules(cursor, 50)
      told.push(...page.scheduleIds)
      cursor = page.next
    } while (cursor !== null)
    t.strictSame([...new Set(told)].sort(), ids.slice(1).sort())

    const [from, to] = ['old id \u0000', 'new id']
    await backend.moveSchedule('never counted', to)
    t.equal((await backend.scheduleTotals([to])).size, 0)
    const first = makeExecution({ scheduleId: from, finishedAt: 5_000, startedAt: 4_000, durationMs: 1_000, status: 'failed' })
    const unknown = makeExecution({ scheduleId: from, finishedAt: 4_000, durationMs: null })
    await backend.record([first, unknown])
    const before = (await backend.scheduleTotals([from])).get(from)
    await backend.moveSchedule(from, from)
    t.strictSame((await backend.scheduleTotals([from])).get(from), before, 'moving to the same id changes nothing')
    await backend.moveSchedule(from, to)
    await backend.moveSchedule(from, to)
    t.strictSame([...await backend.scheduleTotals([from, to])], [[to, before]])
    const later = makeExecution({ scheduleId: from, finishedAt: 6_000, startedAt: 5_500, durationMs: 500 })
    await backend.record([later])
    await backend.moveSchedule(from, to)
    const { executionId } = later
    const added = { success: 2, failed: 1, totalDurationMs: 1_500, timed: 2, last: { executionId, durationMs: 500 } }
    t.match((await backend.scheduleTotals([to])).get(to), added)
    t.equal(
      (await backend.list({ scheduleId: from, order: 'newest', limit: 5 })).total.value, 3, 'executions keep the id they ran under'
    )
    t.equal((await backend.taskTotals()).get(first.taskName)?.failed, 1)
  })

  t.test('retriesOf() returns the twenty newest retries that are still kept', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const origin = 'a \u0000 ' + 'x'.repeat(190)
    const retries = Array.from({ length: 25 }, (_, i) =>
      makeExecution({
        retryOf: origin, finishedAt: nowMs - 3_600_000 + i, status: i % 2 ? 'failed' : 'success', taskName: i % 3 ? 'email:send' : '日報'
      }))
    await backend.record([makeExecution({ executionId: origin }), makeExecution({ retryOf: 'another' }), makeExecution(), ...retries])
    const newest = retries.toReversed().slice(0, 20)
    t.strictSame(await backend.retriesOf(origin), newest.map(listed))
    t.strictSame(await backend.retriesOf('never'), [])
    const keep = { maxAgeMs: 86_400_000, maxCount: 1_000 }
    await backend.prune({ success: { maxAgeMs: 60_000, maxCount: 1_000 }, failed: keep },
      { nowMs, keepAfterMs: nowMs, brokerHasAfterMs: Infinity, limit: 1_000 })
    t.strictSame(await backend.retriesOf(origin), retries.filter(each => each.status === 'failed').toReversed().map(listed))
  })

  t.test('values over their limit are cut and named in `truncated`', async t => {
    const backend = await freshBackend(await openStore(t))
    const long = '🦊'.repeat(100_000)
    const execution = makeExecution({
      status: 'failed', args: [long], result: [long], progress: long, logs: Array.from({ length: 1_500 }, (_, i) => `line ${i}`),
      error: { type: 'Error', message: long, stack: long }
    })
    await backend.record([execution])
    const found = (await backend.find(execution.executionId))!
    t.strictSame(
      [...found.truncated].sort(),
      ['/args', '/attempts/0/error/message', '/attempts/0/error/stack', '/error/message', '/error/stack', '/logs', '/progress', '/result']
    )
    t.equal(found.logs.length, 1_000)
    t.equal(found.logs.at(-1), 'line 1499')
    t.ok(Array.isArray(found.args) && found.args.length === 1)
    t.ok(Buffer.byteLength(JSON.stringify(found)) < 400_000)
    t.notMatch(JSON.stringify(found), /\\ud83e[^\\]|\\ud83e$/, 'no half characters')
    const tooLong = makeExecution({ executionId: 'x'.repeat(3_000) })
    t.equal(await backend.record([tooLong]), 0, 'an id too long for an index is left out')
    t.strictSame(await backend.missing([tooLong.executionId]), [], 'and is not asked for again')
  })

  t.test('failed attempts are recorded once each and returned with the execution', async t => {
    const backend = await freshBackend(await openStore(t))
    const execution = makeExecution({ attempt: 3, maxAttempts: 3 })
    const attempt = (number: number) => ({
      attempt: number, startedAt: execution.finishedAt - 1_000 + number, finishedAt: execution.finishedAt - 900 + number, workerId: 'w',
      error: { type: 'Error', message: `attempt ${number}`, stack: 'stack' }
    })
    const record = (number: number) => ({ executionId: execution.executionId, taskName: execution.taskName, attempt: attempt(number) })
    await backend.recordAttempts([record(2), record(1), record(1)])
    await backend.recordAttempts([{ ...record(1), attempt: { ...attempt(1), workerId: 'another' } }])
    t.strictSame(await backend.attemptsOf(execution.executionId), [attempt(1), attempt(2)])
    t.equal(await backend.find(execution.executionId), null)
    await backend.record([execution])
    t.strictSame((await backend.find(execution.executionId))!.attempts, [attempt(1), attempt(2), ...execution.attempts])
    t.strictSame(await backend.attemptsOf('nobody'), [])
    const told = makeExecution({
      attempt: 2,
      attempts: [{ attempt: 1, startedAt: null, finishedAt: null, workerId: null, error: { type: 'Error', message: 'told', stack: null } }]
    })
    await backend.record([told])
    await backend.recordAttempts([{ executionId: told.executionId, taskName: told.taskName, attempt: attempt(1) }])
    t.strictSame((await backend.find(told.executionId))!.attempts, [attempt(1)], 'the attempt recorded at the time wins')
  })

  t.test('an error without a group gets one, the same for equal errors', async t => {
    const backend = await freshBackend(await openStore(t))
    const failed = [1, 2].map(
      i => makeExecution({ status: 'failed', errorGroup: null, error: { type: 'TypeError', message: `order ${i} is gone`, stack: null } }
      ))
    await backend.record(failed)
    const groups = (await Promise.all(failed.map(each => backend.find(each.executionId)))).map(each => each!.errorGroup)
    t.match(groups[0], /^[0-9a-f]{12}$/)
    t.equal(groups[0], groups[1])
  })

  t.test('missing() returns the unknown ones among a thousand ids', async t => {
    const backend = await freshBackend(await openStore(t))
    const there = Array.from({ length: 500 }, () => makeExecution())
    const gone = Array.from({ length: 500 }, () => randomUUID())
    await backend.record(there)
    t.strictSame(await backend.missing([...there.map(each => each.executionId), ...gone]), gone)
    t.strictSame(await backend.missing([]), [])
  })

  t.test('starting again keeps everything, and concurrent starts succeed', async t => {
    const store = await openStore(t)
    const namespaced = namespacedStore(store)
    const backends = Array.from({ length: 4 }, () => createResultBackend(namespaced))
    await Promise.all(backends.map(backend => backend.start()))
    const execution = makeExecution()
    await backends[0]!.record([execution])
    const { since } = await backends[0]!.totals()
    await backends[1]!.stop()
    const again = createResultBackend(namespaced)
    await again.start()
    t.strictSame(await again.totals(), { success: 1, failed: 0, since })
    t.strictSame(await again.watermarks(), new Map())
    await again.saveWatermarks(new Map([['x', 7], ['y', 1]]))
    await again.saveWatermarks(new Map([['x', 5], ['y', null], ['z', null]]))
    t.strictSame(await backends[0]!.watermarks(), new Map([['x', 5]]))
    const many = new Map(Array.from({ length: 2_500 }, (_, i) => [`task ${i}`, i]))
    await again.saveWatermarks(many)
    t.strictSame(await again.watermarks(), new Map([...many, ['x', 5] as const]))
  })
}

export function testStopped(t: Test, openStore: OpenStore): void {
  t.test('calls on a stopped store reject with BACKEND_UNAVAILABLE', async t => {
    const store = await openStore(t)
    const backend = await freshBackend(store)
    await store.stop()
    await assertUnavailable(t, backend, () => 1_500)
  })
}

/** In the namespace of the store itself, where its documents are. */
export function testFence(t: Test, openStore: OpenStore): void {
  t.test('executions with a fence are recorded only as long as the fence document has not been written again', async t => {
    const store = await openStore(t)
    const backend = createResultBackend(store)
    await backend.start()
    const onlyWhile = { collection: 'turns', id: 'one', version: (await store.documents.put('turns', 'one', 'first'))!, value: 'first' }
    const executions = [makeExecution(), makeExecution(), makeExecution()]
    t.equal(await backend.record(executions.slice(0, 1), { onlyWhile }), 1)
    t.equal(await backend.record(executions.slice(0, 2), { onlyWhile }), 1, 'known ones are skipped')
    await store.documents.put('turns', 'one', 'second')
    await t.rejects(backend.record(executions, { onlyWhile }), { name: 'SupersededError' })
    const ids = executions.map(({ executionId }) => executionId)
    t.same(await backend.missing(ids), ids.slice(2))
    t.equal(await backend.record(executions, { onlyWhile: { ...onlyWhile, version: onlyWhile.version + 1, value: 'second' } }), 1)
    // As after a restored backup: another process begins a turn with the same number.
    await store.documents.delete('turns', 'one')
    await store.documents.put('turns', 'one', 'another')
    await t.rejects(backend.record([makeExecution()], { onlyWhile }), { name: 'SupersededError' })
  })
}
