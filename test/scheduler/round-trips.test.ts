import t from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { createOverdueWatch } from '../../lib/scheduler/runs/overdue-watch.ts'
import { createRunLedger } from '../../lib/scheduler/runs/run-ledger.ts'
import { createConverge } from '../../lib/scheduler/effects/converge.ts'
import { createScheduleControl } from '../../lib/scheduler/schedule-control.ts'
import { toApiDocument } from '../../lib/scheduler/definitions/schedule-document.ts'
import { createScheduleEffects, type EffectDefinition, type SchedulerEffects } from '../../lib/scheduler/effects/schedule-effects.ts'
import { toScheduleDefinition } from '../../lib/scheduler/definitions/schedule-input.ts'
import { createScheduleStore } from '../../lib/scheduler/definitions/schedule-store.ts'
import { createMemoryDocuments } from '../support/memory-documents.ts'
import { waitFor } from '../support/wait-for.ts'

/** Counts the calls of a port. */
function counted<Port extends object>(port: Port, count: (name: string) => void): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const call = target[name as keyof Port] as ((...args: unknown[]) => unknown) | undefined
      return call && ((...args: unknown[]) => {
        count(String(name))
        return call.apply(target, args)
      })
    }
  })
}

/** An in-memory engine. */
function createEffects(): SchedulerEffects {
  const standing = new Map<string, { readonly taskName: string; readonly json: string }>()
  return {
    async upsertScheduler(definition) {
      standing.set(definition.scheduleId, {
        taskName: definition.taskName, json: JSON.stringify(definition)
      })
    },
    async removeScheduler(_taskName, scheduleId) { return standing.delete(scheduleId) },
    async planSchedulerAnew() { return false },
    async listSchedulers() {
      return [...standing].map(([scheduleId, { taskName }]) => ({
        scheduleId, taskName, nextRunAt: Date.now() + 60_000
      }))
    },
    async standingAsDefined(definitions: readonly EffectDefinition[]) {
      return new Set(definitions.filter(each => standing.get(each.scheduleId)?.json === JSON.stringify(each)).map(each => each.scheduleId))
    },
    async enqueue() {}
  }
}

/** The calls of another process: its start with the first convergence, and its later passes. */
async function callsWith(schedules: number): Promise<{ start: string[]; passes: string[] }> {
  const [documents, effects] = [createMemoryDocuments(), createEffects()]
  const open = async (count: (name: string) => void, watchEveryMs: number) => {
    const control = createScheduleControl({
      documents: counted(documents, count), effects: counted(effects, count), isTaskKnown: async () => true,
      taskNames: async () => ['report'],
      retryPolicyOf: () => ({ maxAttempts: 1, backoff: fixedDelay(0) }), onError: error => { throw error }, watchEveryMs,
      convergeEveryMs: 3_600_000
    })
    for (let index = 0; index < schedules; index++)
      await control.scheduler.scheduleInterval('report', 3_600_000, null, { id: String(index) })
    await control.start()
    await control.converge()
    return control
  }
  const first = await open(() => {}, 3_600_000)
  await first.stop()
  const calls: string[] = []
  const second = await open(name => calls.push(name), 3_600_000)
  const start = [...calls]
  await second.stop()
  const third = await open(name => calls.push(name), 20)
  calls.length = 0
  const watched = () => calls.filter(name => name === 'listSchedulers').length
  const before = watched()
  await waitFor('two passes of the watch', async () => watched() >= before + 2)
  await third.converge()
  await third.stop()
  return { start, passes: calls }
}

t.test('a start, a convergence and a watch pass take as many calls with 3,000 schedules as with three', async t => {
  const [few, many] = [await callsWith(3), await callsWith(3_000)]
  t.notOk(many.start.includes('upsertScheduler'))
  t.ok(many.start.length <= few.start.length + 12, `${few.start.length} calls, and ${many.start.length}`)
  // The number of watch passes depends on timers. Each takes four calls, and the convergence among them six.
  const watched = many.passes.filter(name => name === 'listSchedulers').length
  t.ok(many.passes.length <= 4 * watched + 12, `${few.passes.length} calls, and ${many.passes.length}: ${JSON.stringify(many.passes)}`)
})

t.test('a pass over 3,000 overdue schedules records each as missed in a few calls', async t => {
  let at = Date.UTC(2026, 5, 1)
  const documents = createMemoryDocuments()
  const calls: string[] = []
  const watched = counted(documents, name => calls.push(name))
  const store = createScheduleStore(watched)
  const ledger = createRunLedger(watched, store, () => at)
  const ids = Array.from({ length: 3_000 }, (_, index) => `sch_${index}`)
  const definition = toScheduleDefinition({ taskName: 'report', timing: { intervalMs: 60_000, timezone: 'UTC' } })
  for (const id of ids) await store.change(id, () => toApiDocument(definition, at))
  const dueAt = at + 60_000
  const watch = createOverdueWatch({
    documents: watched, holder: 'a', store, ledger, now: () => at, taskNames: async () => ['report'], servedTasks: async () => new Set(),
    effects: { listSchedulers: async () => ids.map(scheduleId => ({ scheduleId, taskName: 'report', nextRunAt: dueAt })) },
    attendance: { of: async () => ({ longest: () => ({ ms: 3_600_000, reason: 'process_down' }), reasonAt: () => 'process_down' }) }
  })
  at += 300_000
  // Another process recorded one of them first, after its ledger had been read.
  const books = await ledger.readMany(['sch_7'])
  const [schedule] = await store.getMany(['sch_7'])
  const { replaceMany } = documents
  documents.replaceMany = async (...parameters) => {
    documents.replaceMany = replaceMany
    await ledger.missMany([{ schedule: schedule!, from: dueAt, to: at - 180_000, reasonAt: () => 'no_worker', books: books[0]! }])
    return await replaceMany.apply(documents, parameters)
  }
  calls.length = 0
  t.equal(await watch(), 3_000)
  t.ok(calls.length < 30, `${calls.length} calls`)
  // Due at 60, 120, 180 and 240 s.
  const missed = 4
  t.strictSame(new Set((await store.missedAndLate(ids)).missed), new Set([missed]))
  t.match(await ledger.list('sch_0'), [{ kind: 'missed', reason: 'process_down', count: missed, firstDueAt: dueAt }])
  t.same((await ledger.list('sch_7')).map(each => [each.reason, each.count]).toSorted(), [['no_worker', 2], ['process_down', 2]])
  calls.length = 0
  await watch()
  t.ok(calls.length < 10, 'what is recorded is left alone')
})

t.test('an engine schedule that lost its planned run is written again by the process that wrote it', async t => {
  const [store, effects] = [createScheduleStore(createMemoryDocuments()), createEffects()]
  await store.change('sch_1', () =>
    toApiDocument(toScheduleDefinition({ taskName: 'report', timing: { intervalMs: 60_000, timezone: 'UTC' } }), Date.now()))
  const retryPolicyOf = () => ({ maxAttempts: 1, backoff: fixedDelay(0) })
  let writes = 0
  let isBroken = false
  const broken: SchedulerEffects = {
    ...effects,
    async upsertScheduler(definition) {
      writes++
      isBroken = false
      await effects.upsertScheduler(definition)
    },
    async standingAsDefined(definitions) { return isBroken ? new Set() : effects.standingAsDefined(definitions) }
  }
  const open = (knownForMs: number) => createConverge({
    store, effects: broken, scheduleEffects: createScheduleEffects(store, broken, retryPolicyOf, Date.now), retryPolicyOf,
    taskNames: async () => ['report'],
    isStopping: () => false, pullBack: async () => {}, knownForMs
  })
  const [converge, convergeRarely] = [open(0), open(600_000)]
  await convergeRarely()
  await converge()
  await converge()
  t.equal(writes, 1)
  isBroken = true
  await convergeRarely()
  t.equal(writes, 1, 'what was checked a moment ago is left alone')
  await converge()
  await converge()
  t.equal(writes, 2)
})
