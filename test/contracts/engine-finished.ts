import type { Test } from 'tap'
import type { FinishedExecution } from '../../lib/execution.ts'
import type { Engine } from '../../lib/engine/engine.ts'
import { enqueue, enqueueAll, finishedIds, work } from './engine-work.ts'

/** Finished executions: how the reconciler finds them and retention removes them. */
export async function testFinished(t: Test, engine: Engine): Promise<void> {
  await t.test('finished executions are found for the reconciler, and only missing ones are read', async t => {
    const worker = work(t, engine, { run: async ({ args: [fails] }) => { if (fails) throw new Error('no') } })
    const ids = await enqueueAll(engine, worker.taskName, [{ args: [false] }, { args: [true] }, { args: [false] }])
    const done = await Promise.all(ids.map(id => worker.finished(id)))
    t.same((await finishedIds(engine, worker.taskName)).toSorted(), ids.toSorted())
    const asked: string[] = []
    const found: FinishedExecution[] = []
    const isSecond = async (list: string[]): Promise<string[]> => {
      asked.push(...list)
      return list.filter(id => id === ids[1])
    }
    for await (const batch of engine.finishedSince(worker.taskName, 0, isSecond)) found.push(...batch)
    t.same(asked.toSorted(), ids.toSorted())
    t.same(found, [done[1]])
    const latest = Math.max(...done.map(({ finishedAt }) => finishedAt))
    const late = await finishedIds(engine, worker.taskName, latest + 1)
    t.same(late.toSorted(), ids.toSorted(), 'includes earlier ones on the page, as the worker clock may be slow')
    const times = late.map(
      id => done.find(each => each.executionId === id
      )!).filter(each => each.status === 'success').map(each => each.finishedAt)
    t.same(times, times.toSorted((a, b) => a - b), 'oldest first')
  })

  await t.test('one call returns the latest finished executions of many tasks, in the order of the tasks', async t => {
    const [quiet, busy] = [work(t, engine, { run: async () => {} }), work(t, engine, { run: async ({ args: [fails] }) => {
      if (fails)
        throw new Error('no')
    } })]
    const first = await quiet.finished(await enqueue(engine, quiet.taskName))
    const ids = await enqueueAll(engine, busy.taskName, Array.from({ length: 30 }, (_, i) => ({ args: [i % 3 === 0] })))
    const done = await Promise.all(ids.map(id => busy.finished(id)))
    const names = [quiet.taskName, 'unknown:task', busy.taskName]
    const [one, none, many] = await engine.newestFinished(names.map(taskName => ({ taskName, sinceMs: 0 })))
    t.same(one, {
      executions: [{ executionId: first.executionId, taskName: quiet.taskName, status: 'success', finishedAt: first.finishedAt }],
      isAll: true
    })
    t.same(none, { executions: [], isAll: true })
    t.equal(many!.isAll, true)
    t.same(many!.executions.map(each => each.executionId).toSorted(), ids.toSorted())
    t.same(await engine.newestFinished([{ taskName: quiet.taskName, sinceMs: first.finishedAt + 1 }]), [{ executions: [], isAll: true }])
    t.equal(
      (await engine.newestFinished([{ taskName: quiet.taskName, sinceMs: first.finishedAt }]))[0]!.executions.length, 1,
      'the given millisecond is included'
    )

    const more = await enqueueAll(engine, busy.taskName, Array.from({ length: 30 }, () => ({ args: [false] })))
    const newest = Math.max(...(await Promise.all(more.map(id => busy.finished(id)))).map(each => each.finishedAt))
    const [head] = await engine.newestFinished([{ taskName: busy.taskName, sinceMs: 0 }])
    t.equal(head!.isAll, false)
    t.equal(Math.max(...head!.executions.map(each => each.finishedAt)), newest)

    const latest = Math.max(...done.map(each => each.finishedAt))
    const before = await engine.finishedBefore(names, latest, 1_000)
    t.ok([first.executionId, ...ids].every(id => before.some(each => each.executionId === id)))
    t.ok(before.every(each => each.finishedAt <= latest))
    t.equal((await engine.finishedBefore(names, latest, 7)).length, 7)
    t.same(await engine.finishedBefore(names, first.submittedAt - 1, 1_000), [])
    const read = []
    for await (const batch of engine.readFinished(before)) read.push(...batch)
    const others = (await Promise.all(more.map(id => busy.finished(id)))).filter(each => each.finishedAt <= latest)
    t.same(read.toSorted(byId), [first, ...done, ...others].toSorted(byId))
  })

  await t.test('finished executions are removed with everything that belongs to them, and nothing else', async t => {
    const worker = work(t, engine, { async run({ args: [fails], log }) { await log('a line'); if (fails) throw new Error('no') } })
    const { taskName } = worker
    const ids = await enqueueAll(engine, taskName, [{ args: [false] }, { args: [true] }, { args: [false] }])
    const done = await Promise.all(ids.map(id => worker.finished(id)))
    await worker.worker.stop()
    const waiting = await enqueue(engine, taskName)
    const latest = Math.max(...done.map(each => each.finishedAt))
    const references = await engine.finishedBefore([taskName], latest, 10)
    t.equal(await engine.removeFinished(references, Math.min(...done.map(each => each.finishedAt)) - 1), 0, 'none that finished later')
    const asIfFinished = { executionId: waiting, taskName, status: 'success', finishedAt: latest } as const
    t.equal(await engine.removeFinished([...references.slice(0, 2), asIfFinished], latest), 2)
    t.equal(await engine.removeFinished(references, latest), 1, 'the rest, and none twice')
    t.same(await engine.finishedBefore([taskName], Infinity, 10), [])
    for (const id of ids) t.equal(await engine.find([taskName], id), null)
    t.match(await engine.find([taskName], waiting), { status: 'pending' })
    for await (const batch of engine.readFinished(references)) t.fail(`${batch.length} are left`)
  })

  await t.test('a worker never removes finished executions, however old they are by its clock', async t => {
    const worker = work(t, engine, { run: async () => {} })
    const first = await worker.finished(await enqueue(engine, worker.taskName))
    const { now } = Date
    Date.now = () => now() + 3 * 3_600_000
    t.teardown(() => { Date.now = now })
    const second = await worker.finished(await enqueue(engine, worker.taskName))
    Date.now = now
    t.ok(second.finishedAt - first.finishedAt > 2 * 3_600_000)
    t.same(
      (await engine.finishedBefore([worker.taskName], Infinity, 10)).map(each => each.executionId), [first.executionId, second.executionId]
    )
  })
}

function byId(one: { executionId: string }, other: { executionId: string }): number {
  return one.executionId < other.executionId ? -1 : 1
}
