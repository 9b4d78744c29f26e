import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { Engine } from '../../lib/engine/engine.ts'
import type { InFlightQuery } from '../../lib/engine/in-flight/in-flight-query.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueue, enqueueAll, listAll, work } from './engine-work.ts'

/** Executions in flight: how they are found, counted and listed. */
export async function testLists(t: Test, engine: Engine): Promise<void> {
  await t.test('priorities and delays determine the order', async t => {
    const taskName = randomUUID()
    const order: unknown[] = []
    const ids = await enqueueAll(
      engine, taskName, [{ args: ['later'], delayMs: 3_000 }, { args: [9], priority: 9 }, { args: [2], priority: 2 }, { args: ['none'] }]
    )
    t.same(await states(engine, taskName, ids), ['delayed', 'prioritized', 'prioritized', 'waiting'])
    const worker = work(t, engine, { taskName, run: async ({ args: [name] }) => { order.push(name) } })
    const last = await worker.finished(ids[0]!)
    t.same(order, ['none', 2, 9, 'later'])
    t.ok(last.startedAt! - last.submittedAt >= 2_990)
    t.ok(last.waitMs! < last.startedAt! - last.submittedAt, 'the wait begins when the delay ends')
  })

  await t.test('executions in flight are counted, and listed by page from either end', async t => {
    const [one, other] = [randomUUID(), randomUUID()]
    const ids: string[] = []
    for (let index = 0; index < 23; index++) {
      ids.push(await enqueue(engine, index % 3 === 0 ? one : other, { args: [index] }))
      await sleep(2)
    }
    const query = { taskNames: [one, other, 'a task without a queue'], status: 'pending', limit: 5 } as const
    t.same([...await engine.counts(query.taskNames)].map(([, { pending, running }]) => [pending, running]), [[8, 0], [15, 0], [0, 0]])
    t.same(await listAll(engine, { ...query, order: 'newest' }), ids.toReversed())
    t.same(await listAll(engine, { ...query, order: 'oldest' }), ids)
    t.same(await listAll(engine, { ...query, order: 'newest', limit: 100 }), ids.toReversed())

    const { submittedAt } = (await engine.find([one], ids[9]!))!
    t.same(await listAll(engine, { ...query, order: 'oldest', to: submittedAt }), ids.slice(0, 9))
    t.same(await listAll(engine, { ...query, order: 'newest', from: submittedAt }), ids.slice(9).toReversed())
    t.ok((await engine.summary([one, other])).oldestPendingMs! > 20)
    t.same(await engine.summary([randomUUID()]), { pending: 0, running: 0, oldestPendingMs: null })

    const first = await engine.inFlight({ ...query, order: 'newest' })
    t.ok(first.next!.length <= 4096)
    for (const cursor of ['', 'x', '%', 'A'.repeat(5000), `${first.next}AAAA`, '\0']) {
      await t.rejects(
        engine.inFlight({ ...query, order: 'newest', cursor }), { code: 'INVALID_CURSOR' }, JSON.stringify(cursor).slice(0, 30)
      )
    }
  })

  await t.test('the longest wait is found in any state, and counts from when the execution was due', async t => {
    const [urgent, delayed, retried] = [randomUUID(), randomUUID(), randomUUID()]
    const least = await enqueue(engine, urgent, { priority: 9 })
    const delayMs = 3_000
    const put = await enqueue(engine, delayed, { delayMs })
    t.same(await engine.summary([delayed]), { pending: 1, running: 0, oldestPendingMs: null })
    const worker = work(t, engine, { taskName: retried, run: async () => { throw new Error('no') } })
    await enqueue(engine, retried, { maxAttempts: 2, backoff: fixedDelay(3_600_000) })
    await enqueueAll(engine, urgent, Array.from({ length: 10 }, () => ({ priority: 2 })))

    const { submittedAt } = (await engine.find([urgent], least))!
    const atLeast = Date.now() - submittedAt
    const { oldestPendingMs } = await engine.summary([delayed, urgent])
    t.ok(oldestPendingMs! >= atLeast && oldestPendingMs! <= Date.now() - submittedAt, 'among those of lower urgency')
    const dueAt = (await engine.find([delayed], put))!.submittedAt + delayMs
    const late = await waitFor('the delay to be over', async () => {
      const since = Date.now() - dueAt
      const summary = await engine.summary([delayed])
      return summary.oldestPendingMs !== null && { since, oldestPendingMs: summary.oldestPendingMs }
    })
    t.ok(late.oldestPendingMs >= Math.max(late.since, 0) && late.oldestPendingMs <= Date.now() - dueAt, 'since the end of its delay')
    await waitFor('the first attempt to fail', async () => worker.attempts.length === 1)
    t.same(await engine.summary([retried]), { pending: 1, running: 0, oldestPendingMs: null }, 'a retry counts once its delay is over')
    await worker.stop()
  })

  await t.test('pages of the newest skip nothing when others finish in between', async t => {
    const taskName = randomUUID()
    const ids = await enqueueAll(engine, taskName, Array.from({ length: 20 }, () => ({})))
    const query: InFlightQuery = { taskNames: [taskName], status: 'pending', order: 'newest', limit: 6 }
    const first = await engine.inFlight(query)
    let run = 0
    const worker = work(t, engine, { taskName, run: async () => { if (++run > 5) await new Promise(() => {}) } })
    await waitFor('five to finish', async () => worker.executions.length === 5)
    const rest = await listAll(engine, { ...query, cursor: first.next! })
    const seen = new Set([...first.executions.map(({ executionId }) => executionId), ...rest])
    t.same(ids.slice(6).filter(id => !seen.has(id)), [])
    await worker.worker.stop({ graceMs: 0 })
  })

  await t.test('running executions are listed', async t => {
    const worker = work(t, engine, { concurrency: 3, run: () => new Promise(() => {}) })
    const ids = await enqueueAll(engine, worker.taskName, [{}, {}, {}])
    await waitFor('three to run', async () => worker.worker.running === 3)
    const { executions } = await engine.inFlight({ taskNames: [worker.taskName], status: 'running', order: 'oldest', limit: 10 })
    t.same(executions.map(({ executionId }) => executionId).toSorted(), ids.toSorted())
    t.match(executions[0], { status: 'running', state: 'active', attempt: 1, workerId: 'worker-1', finishedAt: null, durationMs: null })
    t.same((await engine.counts([worker.taskName])).get(worker.taskName), { pending: 0, running: 3 })
    await worker.worker.stop({ graceMs: 0 })
  })

  await t.test('find() returns null for an unknown id, whatever the text', async t => {
    for (const id of ['', randomUUID(), '\0', '\ud800', '😀', '../', 'x'.repeat(10_000), 'meta', 'wait']) {
      t.equal(await engine.find([randomUUID(), 'email:send'], id), null, JSON.stringify(id).slice(0, 20))
    }
  })
}

async function states(engine: Engine, taskName: string, ids: readonly string[]): Promise<unknown[]> {
  return await Promise.all(ids.map(async id => (await engine.find([taskName], id))?.state))
}
