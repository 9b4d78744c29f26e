import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { testNamespace, type TestScope, type TestServer } from '../support/servers/stores.ts'
import { inTime } from '../support/in-time.ts'
import { startTcpProxy } from '../support/network/tcp-proxy.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueue, startEngine, work } from './engine-work.ts'

/** The engine while its server is down, and afterwards. */
export async function testOutage(t: Test, startServer: (t: TestScope) => Promise<TestServer>): Promise<void> {
  await t.test('calls reject with BROKER_UNAVAILABLE within 1.5 s, and workers continue once the server is back', async t => {
    const server = await startServer(t)
    const { engine, stop } = await startEngine(t, server.url)
    let reconnects = 0
    engine.onReconnect(() => { reconnects++ })
    const worker = work(t, engine, { run: async () => 'done' })
    const { taskName } = worker
    const done = await worker.finished(await enqueue(engine, taskName))
    const reference = { executionId: done.executionId, taskName, status: done.status, finishedAt: done.finishedAt }

    for (const bad of ['kill', 'freeze'] as const) {
      // On PostgreSQL, an idle connection is closed. Without an open one, an enqueue is never sent, so it is known not to have happened.
      await enqueue(engine, taskName)
      await server[bad]()
      await inTime(t, `after a ${bad} every call rejects`, 1_900, async () => {
        const added = t.rejects(
          enqueue(engine, taskName), { code: bad === 'freeze' ? 'UNCONFIRMED' : /^(?:UNCONFIRMED|BROKER_UNAVAILABLE)$/ },
          `an enqueue after a ${bad}`
        )
        const calls: Array<Promise<unknown>> = [
          engine.counts([taskName, 'new queue']), engine.find([taskName], randomUUID()), engine.summary([taskName]),
          engine.listSchedulers([taskName]),
          engine.inFlight({ taskNames: [taskName], status: 'pending', order: 'newest', limit: 5 }), engine.removeScheduler(taskName, 'a'),
          engine.finishedSince(taskName, 0, async ids => ids)[Symbol.asyncIterator]().next(),
          engine.newestFinished([{ taskName, sinceMs: 0 }]),
          engine.finishedBefore([taskName], Date.now(), 1), engine.readFinished([reference])[Symbol.asyncIterator]().next(),
          engine.removeFinished([reference], Date.now())
        ]
        await Promise.all([added, ...calls.map(call => t.rejects(call, { code: 'BROKER_UNAVAILABLE' }, bad))])
      })
      if (bad === 'freeze') server.thaw()
      else await server.start()
      await waitFor('the broker to respond', () => engine.counts([taskName, 'new queue']).catch(() => null))
      const id = await waitFor('an execution to be accepted', () => enqueue(engine, taskName).catch(() => null))
      t.equal((await worker.finished(id)).result, 'done')
    }
    await waitFor('the reconnect to be reported', async () => reconnects > 0)
    const start = Date.now()
    await stop()
    t.ok(Date.now() - start < 5_000)
  })

  await t.test('stop() ends in time while the server is down', async t => {
    const server = await startServer(t)
    const { engine, stop } = await startEngine(t, server.url)
    const worker = work(t, engine, { run: () => new Promise(() => {}) })
    await enqueue(engine, worker.taskName)
    await waitFor('it to run', async () => worker.worker.running === 1)
    await server.kill()
    const start = Date.now()
    await stop()
    t.ok(Date.now() - start < 9_000, `${Date.now() - start} ms`)
  })

  await t.test('an idle worker stops without waiting out the grace period while the server hangs', async t => {
    for (const hangsForMs of [0, 5_000]) {
      const server = await startServer(t)
      const { engine } = await startEngine(t, server.url)
      const worker = work(t, engine, { run: async () => 'done' })
      await worker.finished(await enqueue(engine, worker.taskName))
      await server.freeze()
      // After a few seconds its connections are known to be dead, and its requests wait for new ones.
      await sleep(hangsForMs)
      const graceMs = 60_000
      const begun = performance.now()
      await engine.stop({ graceMs })
      t.ok(performance.now() - begun < graceMs / 2, `${Math.round(performance.now() - begun)} ms`)
      server.thaw()
    }
  })

  await t.test('an execution that was taken while the response got lost is handed back, runs once, and does not count as lost', async t => {
    const server = await startServer(t)
    const proxy = await startTcpProxy(t, server.url)
    const namespace = testNamespace()
    const { engine } = await startEngine(t, proxy.url, namespace)
    // Connected directly, so nothing that it sends is lost.
    const { engine: producer } = await startEngine(t, server.url, namespace)
    let runs = 0
    const worker = work(t, engine, { run: async () => { runs++ } })
    await worker.finished(await enqueue(producer, worker.taskName))
    proxy.loseAnswers(TAKES, 1)
    const taken = await worker.finished(await enqueue(producer, worker.taskName))
    t.equal(proxy.lostAnswers, 1)
    t.match(taken, { status: 'success', attempt: 1 })
    t.ok(taken.losses?.every(({ isHandedBack }) => isHandedBack), 'no process was lost')
    t.equal(runs, 2)
  })
}

/** The commands by which a worker takes an execution, on Redis and on PostgreSQL. */
const TAKES = /evalsha[^]*:wait\r\n[^]*:active\r\n[^]*:prioritized\r\n|move_to_active/i
