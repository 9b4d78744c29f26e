import type { Test } from 'tap'
import type { Engine } from '../../lib/engine/engine.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueue, work } from './engine-work.ts'

const NOBODY = { by: null, reason: null, until: null }

/** Paused queues. `other`: an engine of another process on the same store. */
export async function testPause(t: Test, engine: Engine, other: Engine): Promise<void> {
  const pauseOf = async (taskName: string) => (await engine.queues([taskName])).get(taskName)!.pause

  await t.test('a paused queue starts nothing, lets running executions continue, and has correct counts and lists', async t => {
    const started: string[] = []
    let release = (): void => {}
    const held = new Promise<void>(resolve => { release = resolve })
    const worker = work(t, engine, {
      concurrency: 5,
      run: async ({ executionId }) => {
        started.push(executionId)
        await held
      }
    })
    const { taskName } = worker
    const running = await enqueue(engine, taskName)
    await waitFor('its start', async () => started.length === 1)
    t.match(await other.pauseQueue(taskName, { by: 'ada', reason: 'deploy </script>', until: null }), {
      since: Number, by: 'ada', reason: 'deploy </script>', until: null
    })
    t.match(await pauseOf(taskName), { by: 'ada', reason: 'deploy </script>' }, 'as another process sees it')
    const waiting = [
      await enqueue(engine, taskName), await enqueue(engine, taskName, { priority: 3 }), await enqueue(other, taskName, { delayMs: 200 })
    ]
    await new Promise(resolve => { setTimeout(resolve, 1_500) })
    t.same(started, [running])
    t.match((await engine.counts([taskName])).get(taskName), { pending: 3, running: 1 })
    t.match((await engine.queues([taskName])).get(taskName), { pending: 3, running: 1 })
    t.match(await engine.summary([taskName]), { pending: 3, running: 1 })
    for (const order of ['newest', 'oldest'] as const) {
      const page = await engine.inFlight({ taskNames: [taskName], status: 'pending', order, limit: 10 })
      t.same(page.executions.map(each => each.executionId).toSorted(), waiting.toSorted(), order)
      t.ok(page.executions.every(each => each.status === 'pending'))
    }
    t.match(await engine.find([taskName], waiting[0]!), { status: 'pending' })
    release()
    await worker.finished(running)
    t.same(started, [running], 'a worker that has finished one takes no other')
    await other.resumeQueue(taskName)
    t.equal(await pauseOf(taskName), null)
    await waitFor('the rest to start', async () => started.length === 4, 3_000)
    t.same(started.slice(1).toSorted(), waiting.toSorted())
  })

  await t.test('repeating a pause changes nothing, a different one replaces it, and an empty queue can be paused', async t => {
    const taskName = `paused: "日報" ${Date.now()}`
    const first = await engine.pauseQueue(taskName, { by: 'ada', reason: 'a', until: null })
    t.same(await other.pauseQueue(taskName, { by: 'bo', reason: 'a', until: null }), first, 'the first stays')
    const until = Date.now() + 3_600_000
    t.match(await other.pauseQueue(taskName, { by: 'bo', reason: 'a', until }), { by: 'bo', reason: 'a', until })
    t.match(await pauseOf(taskName), { by: 'bo', until })
    t.match(await engine.pauseQueue(taskName, NOBODY), NOBODY)
    await Promise.all([engine.resumeQueue(taskName), other.resumeQueue(taskName)])
    await engine.resumeQueue(taskName)
    t.equal(await pauseOf(taskName), null)
  })

  await t.test('a pause and a resume at the same time leave the queue either paused with consistent details, or not paused', async t => {
    for (let round = 0; round < 10; round++) {
      const taskName = `race-${Date.now()}-${round}`
      await Promise.all([
        engine.pauseQueue(taskName, { by: 'ada', reason: 'x', until: null }), other.resumeQueue(taskName),
        other.pauseQueue(taskName, { by: 'bo', reason: 'y', until: null }), engine.resumeQueue(taskName)
      ])
      const pause = await pauseOf(taskName)
      t.ok(pause === null || pause.by === 'ada' && pause.reason === 'x' || pause.by === 'bo' && pause.reason === 'y', JSON.stringify(pause))
    }
  })

  await t.test('a queue resumes by itself when its pause ends, and does not at the old time if the end was postponed', async t => {
    const until = Date.now() + 700
    const [ends, changed] = [`ends-${until}`, `changed-${until}`]
    for (const taskName of [ends, changed]) await engine.pauseQueue(taskName, { ...NOBODY, until })
    await other.pauseQueue(changed, { ...NOBODY, until: until + 60_000 })
    t.ok(await pauseOf(ends), 'paused until then')
    await waitFor('its end', async () => await pauseOf(ends) === null, 4_000)
    t.ok(Date.now() >= until)
    t.match(await pauseOf(changed), { until: until + 60_000 })
    const started: string[] = []
    work(t, engine, { taskName: ends, run: async ({ executionId }) => { started.push(executionId) } })
    const executionId = await enqueue(engine, ends)
    await waitFor('a run', async () => started.includes(executionId))
  })
}
