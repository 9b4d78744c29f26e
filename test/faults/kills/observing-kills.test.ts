/**
 * Other code's workers remove their jobs when they end, the process that observes them is killed, and their server crashes. In the end the
 * history equals the workers' own log, or the dashboard says how many events no one could read. 30 kills and 2 crashes on
 * each store in `npm run soak`.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { LOADER } from '../../support/loader.ts'
import { compare, forgetLeases, jobIdOf, jobOf, readHistory, readStories, startLoad } from '../../support/observed-history.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { isSoak } from '../../support/soak.ts'
import { redisUrl, startPostgres, startRedis, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.setTimeout(isSoak ? 3_600_000 : 900_000)

const plan = isSoak ? { kills: 30, crashes: 2, jobsAtATime: 10 } : { kills: 2, crashes: 1, jobsAtATime: 3 }
/** How long a process records before it is killed: both shorter and longer than it takes to save its position. */
const KILLED_AFTER_MS = [300, 2_300, 1_100, 700, 1_600]
const NAMES_COMPARED = isSoak ? Infinity : 50

const REMOVES = ['removes every job', { removeOnComplete: true, removeOnFail: true }] as const
const KEEPS = ['keeps the last jobs', { removeOnComplete: { count: 30 }, removeOnFail: { count: 5 } }] as const

for (const [store, startServer, [name, keep]] of [
  ['Redis', startRedis, REMOVES], ['Redis', startRedis, KEEPS], ['PostgreSQL', startPostgres, REMOVES],
  ...isSoak ? [['PostgreSQL', startPostgres, KEEPS]] as const : []
] as const) {
  const through = `${plan.kills} kills and ${plan.crashes === 1 ? 'a crash' : `${plan.crashes} crashes`}`
  t.test(`on ${store}, through ${through}, the history of a queue that ${name} equals its workers' log`, async t => {
    const server = await startServer(t)
    const backend = await redisUrl(t)
    const namespace = testNamespace()
    const queue = openQueue(t, 6, 'emails', server.url, {
      defaultJobOptions: keep, streams: { events: { maxLen: 1_000_000 } }
    })
    const worker = startOwnersWorker(t, 6, 'emails', server.url, {
      concurrency: 20, lockDuration: 3_000, stalledInterval: 1_000, maxStalledCount: 10
    })
    const observer = superviseObserver(t, [server.url, backend, namespace], () => forgetLeases(backend, namespace))
    const load = startLoad(queue, plan.jobsAtATime, worker.outcomes)
    for (let kill = 0; kill < plan.kills; kill++) {
      await observer.isStarted()
      await sleep(KILLED_AFTER_MS[kill % KILLED_AFTER_MS.length])
      await observer.kill()
      if (kill % Math.ceil(plan.kills / plan.crashes) !== 1) continue
      await server.kill()
      await sleep(500)
      await server.start()
    }
    await load.stop()
    const isDrained = async () => Object.values(await queue.getJobCounts('waiting', 'active', 'delayed')).every(count => count === 0)
    await waitFor('the workers to end', isDrained)
    await worker.close()

    const reader = QueueApp.fromQueues({ broker: server.url }, { backend, namespace, onError() {} })
    await reader.start()
    t.teardown(() => reader.stop())
    await waitFor('the history', async () => (await readHistory(reader)).length >= new Set(worker.outcomes.map(jobOf)).size)
      .catch(() => {})
    await sleep(2_000)
    const history = await readHistory(reader)
    compare(t, history, worker.outcomes, await readStories(server.url, queue))
    for (const { jobId, name } of worker.outcomes.slice(-NAMES_COMPARED)) {
      const { executionId } = history.find(execution => jobIdOf(execution) === jobId)!
      t.equal((await reader.monitoring.execution(executionId))?.jobName, name, 'the name of the job')
    }
    t.same(observer.said.filter(text => /removed before they could be read/.test(text)), [], 'no event was lost, so no gap is stated')
    t.ok(observer.kills() >= plan.kills)
    t.comment(`${worker.outcomes.length} ended, ${history.length} recorded, ${observer.kills()} kills, ${plan.crashes} crashes`)
  })
}

/** A process that is restarted whenever it is killed. */
function superviseObserver(t: Test, args: readonly string[], afterDeath: () => Promise<void>) {
  const said: string[] = []
  let starts = 0
  let kills = 0
  const start = (): ChildProcess => {
    const started = fork(fileURLToPath(new URL('observing-app.ts', import.meta.url)), [...args], {
      execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
    })
    started.on('message', (message: string) => said.push(message))
    starts++
    return started
  }
  let child = start()
  const end = async () => {
    const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
    child.kill('SIGKILL')
    await exit
  }
  t.teardown(end)
  return {
    said,
    kills: () => kills,
    isStarted: () => waitFor('the observer', async () => said.filter(text => text === 'started').length === starts),
    async kill() {
      kills++
      await end()
      await afterDeath()
      child = start()
    }
  }
}
