import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { Engine } from '../../lib/engine/engine.ts'
import type { InFlightQuery } from '../../lib/engine/in-flight/in-flight-query.ts'
import { inChunks } from '../../lib/collections/in-chunks.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueueAll, work } from './engine-work.ts'

const ACTIONS = [
  'enqueue', 'delay', 'prioritise', 'run', 'run and fail', 'run twice', 'start', 'plan', 'end a plan', 'sweep', 'tidy'
] as const
type Action = (typeof ACTIONS)[number]

/** For fewer tasks than this, an engine reads the named queues. */
const FEW = 30

/**
 * Reading many tasks together, most of them without executions, gives the same as reading a few at a time.
 * @param tidy removes what the store keeps about empty queues as soon as that is allowed
 */
export async function testManyTasks(
  t: Test, engine: Engine, tidy: (taskNames: readonly string[]) => Promise<void> = engine.indexQueues
): Promise<void> {
  await t.test('reading many tasks together gives the same as reading a few at a time, whatever enters and ' +
    'leaves their queues', async t => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat({ max: 3 })), { minLength: 6, maxLength: 12 })
    await t.resolves(fc.assert(fc.asyncProperty(steps, async steps => {
      const names = taskNames()
      const known: Known = { ids: [], schedules: new Set() }
      await engine.indexQueues(names)
      for (const [index, [action, task]] of steps.entries()) {
        await act(t, engine, { action, task: names[task * 20]!, known, tidy: () => tidy(names) })
        const fault = await differs(engine, names, known.ids)
        if (fault !== null) throw new Error(`${fault}, after ${steps.slice(0, index + 1).map(([each, of]) => `${each} ${of}`).join(', ')}`)
        await tidy(names)
      }
    }), { numRuns: 3 }))
  })

  await t.test('executions that arrive while queues are being indexed are found', async t => {
    const names = taskNames()
    let isDone = false
    const looking = (async () => {
      while (!isDone) {
        await engine.indexQueues(names)
        await setImmediate()
      }
    })()
    const ids: string[] = []
    for (const [index, name] of [...names.slice(0, 15), ...names.slice(0, 30)].entries()) {
      const [id] = await enqueueAll(engine, name, [{ delayMs: index < 15 ? 60_000 : 0 }])
      ids.push(id!)
      if (await engine.find(names, id!) === null) t.fail(`${id} is not found`)
    }
    isDone = true
    await looking
    t.same((await listed(engine, names)).toSorted(), ids.toSorted())
  })
}

/** 70 new names; the tests use the first, the 21st, the 41st and the 61st. */
export function taskNames(): string[] {
  const own = randomUUID()
  return Array.from({ length: 70 }, (_, index) => `${own} ${index}`)
}

export async function listed(engine: Engine, names: readonly string[]): Promise<string[]> {
  const query: InFlightQuery = { taskNames: names, order: 'newest', limit: 500 }
  return (await engine.inFlight(query)).executions.map(({ executionId }) => executionId)
}

interface Known { readonly ids: string[]; readonly schedules: Set<string> }
interface Acted { readonly action: Action; readonly task: string; readonly known: Known; readonly tidy: () => Promise<void> }

async function act(t: Test, engine: Engine, { action, task, known, tidy }: Acted): Promise<void> {
  const ofTask = { scheduleId: task, taskName: task }
  if (action === 'enqueue')
    known.ids.push(...await enqueueAll(engine, task, [{}, { maxAttempts: 2 }, { maxAttempts: 2, backoff: fixedDelay(600_000) }]))
  if (action === 'delay') known.ids.push(...await enqueueAll(engine, task, [{ delayMs: 600_000 }]))
  if (action === 'prioritise') known.ids.push(...await enqueueAll(engine, task, [{ priority: 3 }]))
  if (action === 'plan') {
    await engine.upsertScheduler({
      ...ofTask, timing: { intervalMs: 600_000, anchorAt: Date.now() }, args: [], priority: 0, maxAttempts: 1, backoff: fixedDelay(0)
    })
    known.schedules.add(task)
  }
  if (action === 'end a plan' && known.schedules.delete(task)) await engine.removeScheduler(task, task)
  if (action === 'sweep') await engine.removeFinished(await engine.finishedBefore([task], Infinity, 100), Infinity)
  if (action === 'tidy') await tidy()
  if (action === 'start') await runFor(t, engine, task, async run => {
    await new Promise<void>(resolve => { run.signal.addEventListener('abort', () => resolve()) })
  }, async () => (await engine.counts([task])).get(task)!.running > 0)
  if (action.startsWith('run')) await runFor(t, engine, task, async ({ attempt }) => {
    if (action === 'run and fail' || action === 'run twice' && attempt === 1) throw new Error('not now')
  }, async () => false)
}

/** Works until nothing due is left or `isEnough`. Executions that still run then return to their queue. */
async function runFor(
  t: Test, engine: Engine, taskName: string, run: Parameters<typeof work>[2]['run'], isEnough: () => Promise<boolean>
): Promise<void> {
  const worker = work(t, engine, { taskName, run: run! })
  await waitFor('nothing to be due any more', async () => {
    const { oldestPendingMs, running } = await engine.summary([taskName])
    return oldestPendingMs === null && running === 0 || await isEnough()
  })
  await worker.stop()
}

/** Describes the difference between the two kinds of reads. Null if there is none. */
async function differs(engine: Engine, names: readonly string[], ids: readonly string[]): Promise<string | null> {
  const few = inChunks(names, FEW)
  const ofFew = new Map((await Promise.all(few.map(each => engine.counts(each)))).flatMap(each => [...each]))
  const ofMany = await engine.counts(names)
  for (const name of names) {
    if (JSON.stringify(ofMany.get(name)) !== JSON.stringify(ofFew.get(name)))
      return `it counts ${JSON.stringify(ofMany.get(name))} where there are ${JSON.stringify(ofFew.get(name))}`
  }
  const states = await engine.queues(names)
  const statesOfFew = new Map((await Promise.all(few.map(each => engine.queues(each)))).flatMap(each => [...each]))
  for (const name of names) {
    const { oldestPendingMs, pause, limits, ...counted } = states.get(name)!
    if (JSON.stringify(counted) !== JSON.stringify(ofMany.get(name)) || pause !== null || limits !== null)
      return `a queue is ${JSON.stringify(states.get(name))}`
    if ((oldestPendingMs === null) !== (statesOfFew.get(name)!.oldestPendingMs === null))
      return `the oldest of a queue waits ${oldestPendingMs}`
  }
  const list = (await listed(engine, names)).toSorted()
  const lists = (await Promise.all(few.map(each => listed(engine, each)))).flat().toSorted()
  if (list.join() !== lists.join()) return `it lists ${list.length} executions of ${lists.length}`
  const summary = await engine.summary(names)
  const summaries = await Promise.all(few.map(each => engine.summary(each)))
  if (summary.pending !== sum(summaries.map(each => each.pending!)) || summary.running !== sum(summaries.map(each => each.running!)))
    return 'its sums are wrong'
  if ((summary.oldestPendingMs === null) !== summaries.every(each => each.oldestPendingMs === null))
    return `its oldest waits ${summary.oldestPendingMs}`
  const ofEach = await Promise.all(ids.map(id => Promise.all([names, ...few].map(async each => (await engine.find(each, id))?.state))))
  for (const [found, ...foundByFew] of ofEach) {
    if (found !== foundByFew.find(state => state !== undefined)) return `it finds an execution ${found} that is ${foundByFew.join()}`
  }
  return null
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}
