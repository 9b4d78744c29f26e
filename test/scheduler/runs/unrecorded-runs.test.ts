import t, { type Test } from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { createScheduleControl } from '../../../lib/scheduler/schedule-control.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { ownClock } from '../../../lib/stores/store-clock.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { waitFor } from '../../support/wait-for.ts'

const MINUTE = 60_000
const BEGAN = Date.UTC(2030, 0)

type Call = 'every call' | 'the write of the ledger'

/**
 * A process with a schedule that is due every minute. The datastore can be away for this process.
 * @param standing shared with other processes
 */
async function openProcess(t: Test, { standing = createMemoryDocuments(), watchEveryMs = 300_000 } = {}) {
  const clock = { now: BEGAN }
  let failing: Call | null = null
  const errors: string[] = []
  const documents = new Proxy(standing, {
    get: (target, name: keyof DocumentStore) => async (...args: unknown[]) => {
      const isWrite = name === 'put' && args[0] === 'schedule-ledgers'
      if (failing === 'every call' || (failing !== null && isWrite)) throw new Error('Connection is closed.')
      return await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args)
    }
  })
  const control = createScheduleControl({
    documents, clock: ownClock(() => clock.now), isTaskKnown: async () => true, taskNames: async () => ['report'],
    localTasks: () => ['report'], servedTasks: async () => new Set(['report']), convergeEveryMs: 600_000, watchEveryMs,
    retryPolicyOf: () => ({ maxAttempts: 1, backoff: fixedDelay(0) }), onError: error => { errors.push(error.message) },
    effects: {
      async upsertScheduler() {}, async removeScheduler() { return true }, async planSchedulerAnew() { return false },
      async listSchedulers() { return [] }, async standingAsDefined() { return new Set() }, async enqueue() {}
    }
  })
  t.teardown(() => control.stop())
  await control.start()
  const known = (await control.list())[0]
  const { scheduleId } = known ?? await control.create({ taskName: 'report', timing: { intervalMs: MINUTE, timezone: 'UTC' } })
  return {
    control, clock, errors,
    during(call: Call | null) { failing = call },
    async run(minute: number, lateMs = 100) {
      const dueAt = BEGAN + minute * MINUTE
      clock.now = dueAt + lateMs
      return await control.beforeRun({ scheduleId, executionId: `run ${minute}`, dueAt })
    },
    async told() {
      const { missed, late } = (await control.get(scheduleId))!
      const minuteOf = (at: number) => (at - BEGAN) / MINUTE
      return { missed, late, entries: (await control.misses(scheduleId)).map(each =>
        [each.kind, minuteOf(each.firstDueAt), minuteOf(each.lastDueAt)]) }
    }
  }
}

for (const call of ['every call', 'the write of the ledger'] as const) {
  t.test(`runs that started while ${call} failed are not counted as missed by the next run`, async t => {
    const { run, during, told, errors } = await openProcess(t)
    await run(1)
    during(call)
    t.equal(await run(2), 'run')
    t.equal(await run(3), 'run')
    t.ok(errors.length >= 2, 'the errors are reported')
    during(null)
    t.equal(await run(5), 'run')
    t.strictSame(await told(), { missed: 1, late: 0, entries: [['missed', 4, 4]] }, 'only the one that did not start is missed')
  })
}

t.test('a late run that could not be recorded is recorded as late, once', async t => {
  const { run, during, told } = await openProcess(t)
  await run(1)
  during('every call')
  await run(2, 40_000)
  during(null)
  await Promise.all([run(3), run(3)])
  t.strictSame(await told(), { missed: 0, late: 1, entries: [['late', 2, 2]] })
})

t.test('a run that could not be recorded corrects what another process has counted', async t => {
  const standing = createMemoryDocuments()
  const { run, during, told } = await openProcess(t, { standing, watchEveryMs: 50 })
  const other = await openProcess(t, { standing })
  await run(1)
  during('the write of the ledger')
  await run(2)
  await run(3)
  await other.run(5)
  t.strictSame(await told(), { missed: 3, late: 0, entries: [['missed', 2, 4]] })
  during(null)
  await waitFor('the runs to be recorded', async () => (await told()).missed === 1)
})

t.test('a process that stops records what it could not record before', async t => {
  const { run, during, told, control } = await openProcess(t)
  await run(1)
  during('the write of the ledger')
  await run(3)
  during(null)
  await control.stop()
  t.strictSame(await told(), { missed: 1, late: 0, entries: [['missed', 2, 2]] })
})

t.test('a manual run that starts while the datastore is away is not a run of the plan', async t => {
  const { control, during, told, run } = await openProcess(t)
  await run(1)
  const { scheduleId } = (await control.list())[0]!
  during('every call')
  t.equal(await control.beforeRun({ scheduleId, executionId: 'manual', dueAt: BEGAN + 2 * MINUTE, isPlanned: false }), 'run')
  during(null)
  await run(3)
  t.strictSame(await told(), { missed: 1, late: 0, entries: [['missed', 2, 2]] })
})

t.test('a run that began in time and is repeated during the outage is not recorded as late', async t => {
  const { run, during, told } = await openProcess(t)
  await run(1)
  during('every call')
  await run(2)
  await run(2, 50_000)
  during(null)
  await run(3)
  t.strictSame(await told(), { missed: 0, late: 0, entries: [] })
})
