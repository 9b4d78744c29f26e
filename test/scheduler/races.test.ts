import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { ScheduleControl, ScheduleControlOptions } from '../../lib/scheduler/schedule-control.ts'
import type { DocumentStore } from '../../lib/stores/documents/documents.ts'
import { onEveryStore, redisUrl } from '../support/servers/stores.ts'
import { MINUTE_MS } from '../../lib/time/units.ts'
import { waitFor } from '../support/wait-for.ts'
import { openSchedules } from './open-schedules.ts'
import { codeOf, MINUTELY } from './minutely.ts'

const FAST = { watchEveryMs: 200, convergeEveryMs: 500 }

t.test('a disabled schedule does not run, even if its run was let in before', async t => onEveryStore(t, async (t, url) => {
  const { start, store } = await openSchedules(t, url)
  const operator = await start()
  const gated = gateLedger(store.documents)
  const slow = await start({ documents: gated.documents })
  for (const off of [
    (scheduleId: string) => operator.setEnabled(scheduleId, false),
    (scheduleId: string) => operator.update(scheduleId, { enabled: false }),
    (scheduleId: string) => operator.delete(scheduleId)
  ]) {
    const { scheduleId } = await operator.create({ ...MINUTELY, overlap: 'skip' })
    gated.close()
    const decision = slow.beforeRun({ scheduleId, executionId: 'a', dueAt: Date.now() })
    await gated.asked
    await off(scheduleId)
    gated.open()
    t.equal(await decision, 'disabled')
  }
}))

t.test('a run rejected because of a disable is missed if a later run of its schedule ran', async t => onEveryStore(t, async (t, url) => {
  const { start, store } = await openSchedules(t, url)
  const operator = await start()
  const gated = gateLedger(store.documents)
  const slow = await start({ documents: gated.documents })
  for (const isBehind of [true, false]) {
    const { scheduleId, nextRunAt } = await operator.create(MINUTELY)
    const run = (minute: number) => ({ scheduleId, executionId: `run ${minute}`, dueAt: nextRunAt! + minute * 60_000 })
    gated.close()
    const decision = slow.beforeRun(run(0))
    await gated.asked
    if (isBehind) t.equal(await operator.beforeRun(run(1)), 'run')
    await operator.setEnabled(scheduleId, false)
    gated.open()
    t.equal(await decision, 'disabled')
    const misses = await operator.misses(scheduleId)
    const told = misses.map(({ kind, reason, firstDueAt, lastDueAt, count }) => [kind, reason, firstDueAt, lastDueAt, count])
    t.strictSame(told, isBehind ? [['missed', 'busy', nextRunAt, nextRunAt, 1]] : [])
    t.match(await operator.get(scheduleId), { missed: told.length, late: 0 })
  }
}))

t.test('when a disable returns, every admitted run has started', async t => {
  const { start } = await openSchedules(t, await redisUrl(t))
  const [operator, worker] = [await start(), await start()]
  const { scheduleId } = await operator.create(MINUTELY)
  let isOff = false
  const starts: string[] = []
  const runs = (async () => {
    for (let run = 0; starts.length < 3 || !isOff; run++) {
      const decision = await worker.beforeRun({ scheduleId, executionId: String(run), dueAt: Date.now() })
      starts.push(`${decision} ${isOff ? 'after' : 'before'}`)
    }
  })()
  await waitFor('a run', async () => starts.length > 0)
  await operator.setEnabled(scheduleId, false)
  isOff = true
  await runs
  t.ok(starts.includes('run before'))
  t.notOk(starts.includes('run after'))
})

t.test('a process far from the store checks twice before a run, and starts none after a disable', async t => {
  const { start, store } = await openSchedules(t, await redisUrl(t))
  const operator = await start()
  const far = startFar(store.documents, 300)
  // Its own checks in between would count as flights.
  const worker = await start({ documents: far.documents, convergeEveryMs: 10 * MINUTE_MS, watchEveryMs: 10 * MINUTE_MS })
  const { scheduleId } = await operator.create(MINUTELY)
  const run = (name: string) => worker.beforeRun({ scheduleId, executionId: name, dueAt: Date.now() })
  // The first run lets the process tell others how far away it is.
  await run('first')
  await worker.converge()
  far.flights = 0
  t.equal(await run('second'), 'run')
  t.equal(far.flights, 2, 'the definition, then the ledger with the second check')

  let answered = 0
  const early: boolean[] = []
  for (let round = 1; round <= 3; round++) {
    await operator.setEnabled(scheduleId, true)
    const runs = Array.from({ length: 8 }, async (_, index) => {
      await sleep(index * 100)
      const decision = await run(`${round} ${index}`)
      if (decision === 'run') early.push(answered < round)
    })
    await sleep(500)
    await operator.setEnabled(scheduleId, false)
    answered = round
    await Promise.all(runs)
  }
  t.ok(early.length > 0, 'some were admitted')
  t.notOk(early.includes(false))
})

/** Delays what is written between reading the definition and starting a run, until the test opens the gate. */
function gateLedger(documents: DocumentStore) {
  let [tell, open] = [() => {}, () => {}]
  let gate = Promise.resolve()
  const gated = {
    asked: Promise.resolve(),
    close() {
      gated.asked = new Promise(resolve => { tell = resolve })
      gate = new Promise(resolve => { open = resolve })
    },
    open: () => { open() },
    documents: {
      ...documents,
      async put(...request: Parameters<DocumentStore['put']>) {
        if (request[0] === 'schedule-ledgers') {
          tell()
          await gate
        }
        return await documents.put(...request)
      }
    }
  }
  return gated
}

/** Documents with a round-trip time. `flights` counts calls in sequence. */
function startFar(documents: DocumentStore, roundTripMs: number) {
  let inFlight = 0
  const far = {
    flights: 0,
    documents: new Proxy(documents, {
      get: (target, name: keyof DocumentStore) => async (...args: unknown[]) => {
        if (inFlight++ === 0) far.flights++
        await sleep(roundTripMs / 2)
        try {
          return await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args)
        } finally {
          await sleep(roundTripMs / 2)
          inFlight--
        }
      }
    })
  }
  return far
}

t.test('of two concurrent edits both are kept, or the second is ' +
  'refused as stale', async t => onEveryStore(t, async (
  t, url
) => {
  const { start, engine } = await openSchedules(t, url)
  const [one, other] = [await start(), await start()]
  const { scheduleId, version } = await one.create(MINUTELY)
  await Promise.all([
    one.update(scheduleId, { priority: 7 }), other.update(scheduleId, { description: 'Both' }),
    one.update(scheduleId, { intervalMs: 90_000 }), other.setEnabled(scheduleId, true)
  ])
  // The engine may get the earlier edit last. Its writer then sees that it is not the latest, and corrects it.
  await waitFor('the effect of both', async () => (await engine.listSchedulers(['report']))[0]!.nextRunAt > Date.now() + 70_000)
  const both = (await other.get(scheduleId))!
  t.match(both, { priority: 7, description: 'Both', intervalMs: 90_000, enabled: true })
  t.equal((await engine.listSchedulers(['report']))[0]?.nextRunAt, both.nextRunAt, 'the engine has both')

  const edit = (control: ScheduleControl, priority: number) => codeOf(control.update(scheduleId, { priority }, { ifVersion: both.version }))
  const answers = await Promise.all([edit(one, 1), edit(other, 2)])
  t.strictSame(answers.sort(), ['CONFLICT', 'done'])
  t.equal(await codeOf(one.update(scheduleId, { priority: 3 }, { ifVersion: version })), 'CONFLICT')
  const [deleted, edited] = await Promise.all([codeOf(one.delete(scheduleId)), codeOf(other.update(scheduleId, { priority: 5 }))])
  t.equal(deleted, 'done')
  t.ok(['done', 'SCHEDULE_NOT_FOUND'].includes(edited))
  await one.converge()
  t.strictSame(await engine.listSchedulers(['report']), [], 'an edit does not restore a deleted schedule')
}))

t.test('changes made while many schedules converge are applied', async t => onEveryStore(t, async (t, url) => {
  const { start, engine, standing } = await openSchedules(t, url)
  const control = await start()
  // One by one, because so many at once are too much for the embedded store on a busy machine.
  const first = await control.create(MINUTELY)
  for (let i = 1; i < 120; i++) await control.create(MINUTELY)
  let isOff = false
  const effects: ScheduleControlOptions['effects'] = {
    ...engine,
    // As if every schedule had to be written again.
    async standingAsDefined() { return new Set() },
    async upsertScheduler(definition) {
      if (definition.scheduleId === first.scheduleId && !isOff) {
        isOff = true
        await control.setEnabled(definition.scheduleId, false)
      }
      await engine.upsertScheduler(definition)
    }
  }
  await (await start({ effects })).converge()
  t.ok(isOff, 'disabled between reading and writing its definition')
  t.equal((await standing()).length, 119)
  t.notOk((await standing()).includes(first.scheduleId))
}))

t.test('a deleted schedule from code is declared again by the next deployment, ' +
  'not by a running process', async t => onEveryStore(t, async (
  t, url
) => {
  const { start } = await openSchedules(t, url)
  const declare = (cron: string) => (control: ScheduleControl) => control.scheduler.scheduleCron('report', cron, null, { id: 'daily' })
  const running = await start(FAST, declare('0 9 * * *'))
  const { scheduleId } = (await running.list())[0]!
  await running.update(scheduleId, { priority: 5 }, { by: 'ana' })
  await running.setEnabled(scheduleId, false, 'ana')
  await running.delete(scheduleId)
  await running.converge()
  // Time for two more convergences.
  await sleep(1_200)
  t.strictSame(await running.list(), [], 'the process that declared it leaves it deleted')
  await start({}, declare('0 8 * * *'))
  t.match(
    await running.list(), [{ scheduleId, cron: '0 8 * * *', priority: 0, enabled: true, drift: [], missed: 0 }],
    'a new one, as in the code'
  )
}))
