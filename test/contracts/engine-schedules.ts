import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { Engine, EngineRun } from '../../lib/engine/engine.ts'
import { waitFor } from '../support/wait-for.ts'
import { listAll, work } from './engine-work.ts'

/**
 * Interval and cron schedules in the broker.
 * @param queueOf BullMQ's own queue of a task
 */
export async function testSchedules(t: Test, engine: Engine, queueOf: (taskName: string) => Queue): Promise<void> {
  await t.test('an interval schedule keeps its beat from the anchor, and its planned runs do not count as pending', async t => {
    const taskName = randomUUID()
    const hourMs = 3_600_000
    const anchorAt = Date.now() - 5 * hourMs - 100
    const hourly = {
      scheduleId: randomUUID(), taskName, timing: { intervalMs: hourMs, anchorAt }, args: ['tick\0'], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    }
    await engine.upsertScheduler(hourly)
    t.same([...await engine.standingAsDefined([{ ...hourly, scheduleId: 'none' }, hourly])], [hourly.scheduleId])
    t.same(
      [...await engine.standingAsDefined([{ ...hourly, priority: 1 }, { ...hourly, taskName: randomUUID() }])], [],
      'a different definition is not current'
    )
    t.same([
      ...await engine.standingAsDefined(Array.from({ length: 1_200 }, (_, index) => ({
        ...hourly, scheduleId: index === 1_100 ? hourly.scheduleId : `none ${index}`
      })))
    ],
    [hourly.scheduleId], 'in a query for any number of schedules')
    const standing = await engine.listSchedulers([taskName])
    t.same(standing, [{ scheduleId: hourly.scheduleId, taskName, nextRunAt: anchorAt + 6 * hourMs }])
    t.same((await engine.counts([taskName])).get(taskName), { pending: 0, running: 0 })
    t.same(await listAll(engine, { taskNames: [taskName], status: 'pending', order: 'newest', limit: 5 }), [])
    await engine.upsertScheduler(hourly)
    t.same(await engine.listSchedulers([taskName]), standing)

    const definition = { ...hourly, timing: { intervalMs: 2_000, anchorAt } }
    await engine.upsertScheduler(definition)
    const [state] = await engine.listSchedulers([taskName])
    const runs: EngineRun[] = []
    const worker = work(t, engine, { taskName, run: async run => { runs.push(run) } })
    await waitFor('three runs', async () => worker.executions.length >= 3)
    // A busy machine may skip a beat, but never shifts it.
    t.equal(runs[0]!.dueAt, state!.nextRunAt)
    for (const [index, { dueAt }] of runs.entries())
      t.ok((dueAt - anchorAt) % 2_000 === 0 && (index === 0 || dueAt > runs[index - 1]!.dueAt))
    t.match(worker.executions[0], {
      scheduleId: definition.scheduleId, args: ['tick\0'], submittedAt: state!.nextRunAt,
      executionId: `repeat:${definition.scheduleId}:${state!.nextRunAt}`
    })
    t.equal(await engine.removeScheduler(taskName, definition.scheduleId), true)
    t.equal(await engine.removeScheduler(taskName, definition.scheduleId), false)
    const count = runs.length
    await sleep(2_500)
    t.ok(runs.length <= count + 1)
    t.same(await engine.listSchedulers([taskName]), [])
  })

  await t.test('a run that a fast clock planned an hour too late is planned again, unless ' +
    'it is correct', async t => {
    const taskName = randomUUID()
    const timing = { intervalMs: 1_000, anchorAt: Date.now() }
    const often = { scheduleId: randomUUID(), taskName, timing, args: [], priority: 0, maxAttempts: 1, backoff: fixedDelay(0) }
    await withClockAhead(3_600_000, () => engine.upsertScheduler(often))
    const nextRunAt = async () => (await engine.listSchedulers([taskName]))[0]!.nextRunAt
    t.ok(await nextRunAt() > Date.now() + 3_500_000, 'planned an hour ahead')
    t.equal(await engine.planSchedulerAnew(often), true)
    const planned = await nextRunAt()
    t.ok(planned <= Date.now() + 1_000, 'planned within a second')

    const yearly = { ...often, scheduleId: randomUUID(), timing: { cron: '0 0 1 1 *', timezone: 'UTC' } }
    await engine.upsertScheduler(yearly)
    t.equal(await engine.planSchedulerAnew(yearly), false, 'the next run is already planned')
    t.equal(await engine.removeScheduler(taskName, often.scheduleId), true)
    t.equal(await engine.removeScheduler(taskName, yearly.scheduleId), true)
  })

  await t.test('a schedule waits a whole interval before its first run', async t => {
    const taskName = randomUUID()
    const anchorAt = Date.now() + 3
    await engine.upsertScheduler({
      scheduleId: 'first', taskName, timing: { intervalMs: 3_600_000, anchorAt }, args: [], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    })
    t.same(await engine.listSchedulers([taskName]), [{ scheduleId: 'first', taskName, nextRunAt: anchorAt + 3_600_000 }])
  })

  await t.test('a cron schedule runs in its time zone, and a changed definition replaces it', async t => {
    const taskName = randomUUID()
    const definition = {
      scheduleId: 'yearly', taskName, timing: { cron: '30 12 1 1 *', timezone: 'Asia/Tokyo' }, args: [], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    }
    await engine.upsertScheduler(definition)
    const [tokyo] = await engine.listSchedulers([taskName])
    t.equal(new Date(tokyo!.nextRunAt).toISOString().slice(4), '-01-01T03:30:00.000Z')
    await engine.upsertScheduler({ ...definition, timing: { cron: '30 12 1 1 *', timezone: 'UTC' } })
    const [utc] = await engine.listSchedulers([taskName])
    t.equal(new Date(utc!.nextRunAt).toISOString().slice(4), '-01-01T12:30:00.000Z')
    t.equal((await engine.listSchedulers([taskName])).length, 1)
    t.same((await engine.counts([taskName])).get(taskName), { pending: 0, running: 0 })
  })

  await t.test('removing a schedule removes its due run that has not started', async t => {
    const taskName = randomUUID()
    await engine.upsertScheduler({
      scheduleId: 'due', taskName, timing: { intervalMs: 100, anchorAt: Date.now() }, args: [], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    })
    await waitFor('the run to be due', async () => (await engine.counts([taskName])).get(taskName)!.pending === 1)
    t.ok((await engine.listSchedulers([taskName]))[0]!.nextRunAt < Date.now())
    t.ok((await engine.summary([taskName])).oldestPendingMs! >= 0)
    t.equal(await engine.removeScheduler(taskName, 'due'), true)
    t.same((await engine.counts([taskName])).get(taskName), { pending: 0, running: 0 })
  })

  await t.test('removing a schedule also removes its run that already waits for a worker', async t => {
    const taskName = randomUUID()
    const hourly = {
      scheduleId: 'found', taskName, timing: { intervalMs: 3_600_000, anchorAt: Date.now() }, args: [], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    }
    await engine.upsertScheduler(hourly)
    const queue = queueOf(taskName)
    const [planned] = await queue.getDelayed()
    // A worker does the same if the run becomes due while the queue is paused or at its limit.
    await planned!.promote()
    t.equal(await planned!.getState(), 'waiting')
    t.equal(await engine.removeScheduler(taskName, hourly.scheduleId), true)
    t.equal(await planned!.getState(), 'unknown')
    t.same((await engine.counts([taskName])).get(taskName), { pending: 0, running: 0 })
  })
}

/** Runs `work` with a wrong clock. */
async function withClockAhead<Result>(aheadMs: number, work: () => Promise<Result>): Promise<Result> {
  const { now } = Date
  Date.now = () => now() + aheadMs
  try {
    return await work()
  } finally {
    Date.now = now
  }
}
