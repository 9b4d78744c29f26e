/**
 * The process that observes is frozen in the middle of its work, for longer than its lease, and goes on while its successor records. In the
 * end the history equals the workers' own log, whichever of the two recorded. 15 freezes on each store in `npm run soak`.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { isBefore } from '../../../lib/engine/observing/events/job-stories.ts'
import { QueueApp } from '../../../lib/index.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { LOADER } from '../../support/loader.ts'
import { startSlowProxy } from '../../support/network/slow-proxy.ts'
import { compare, forgetLeases, jobOf, readHistory, readStories, startLoad } from '../../support/observed-history.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { isSoak } from '../../support/soak.ts'
import { postgresUrl, redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.setTimeout(900_000)

const FREEZES = isSoak ? 15 : 2
/** How long a process records before it is frozen. It mostly waits for its result backend, so that is where it is usually frozen. */
const FROZEN_AFTER_MS = [700, 1_130, 1_570]
const ROUND_TRIP_MS = 80
const SUCCESSOR_WORKS_MS = 1_200
const BOTH_WORK_MS = 600

for (const [store, urlOf] of [['Redis', redisUrl], ['PostgreSQL', postgresUrl]] as const) {
  t.test(`a process that was frozen for longer than its lease writes nothing over its successor, on ${store}`, async t => {
    const broker = await redisUrl(t)
    const direct = await urlOf(t)
    const slow = await startSlowProxy(t, direct)
    slow.roundTripMs = ROUND_TRIP_MS
    const namespace = testNamespace()
    const queue = openQueue(t, 6, 'emails', broker, {
      defaultJobOptions: { removeOnComplete: { count: 30 }, removeOnFail: { count: 5 } }, streams: { events: { maxLen: 1_000_000 } }
    })
    const worker = startOwnersWorker(t, 6, 'emails', broker, { concurrency: 20 })
    const load = startLoad(queue, 4, worker.outcomes)
    const back: string[] = []
    for (let freeze = 0; freeze < FREEZES; freeze++) {
      const first = await startObserver(t, [broker, slow.url, namespace])
      await sleep(FROZEN_AFTER_MS[freeze % FROZEN_AFTER_MS.length])
      first.child.kill('SIGSTOP')
      await forgetLeases(direct, namespace)
      const successor = await startObserver(t, [broker, slow.url, namespace])
      await sleep(SUCCESSOR_WORKS_MS)
      const watched = await watchPositions(direct, namespace)
      first.child.kill('SIGCONT')
      await sleep(BOTH_WORK_MS)
      back.push(...await watched.stop())
      await Promise.all([first.kill(), successor.kill()])
      await forgetLeases(direct, namespace)
    }
    await load.stop()
    const isDrained = async () => Object.values(await queue.getJobCounts('waiting', 'active', 'delayed')).every(count => count === 0)
    await waitFor('the workers to end', isDrained)
    await worker.close()

    const reader = QueueApp.fromQueues({ broker }, { backend: direct, namespace, onError() {} })
    await reader.start()
    t.teardown(() => reader.stop())
    const jobs = new Set(worker.outcomes.map(jobOf))
    await waitFor('the history', async () => (await readHistory(reader)).length >= jobs.size).catch(() => {})
    await sleep(1_000)
    const history = await readHistory(reader)
    compare(t, history, worker.outcomes, await readStories(broker, queue))
    t.equal((await reader.monitoring.tasks())[0]!.executions.success, worker.outcomes.filter(({ status }) => status === 'success').length)
    t.same(back, [], 'no position went back')
    t.comment(`${jobs.size} ended, ${history.length} recorded, ${FREEZES} freezes`)
  })
}

/** Continuously reads the stored position in the stream, and collects each time that it goes back. */
async function watchPositions(backend: string, namespace: string) {
  const store = createStore(backend, { namespace, role: 'result backend', onError() {} })
  await store.start()
  const wentBack: string[] = []
  const last = new Map<string, string>()
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      for (const { id, value } of await store.documents.list<{ position: string }>('observed-streams')) {
        const before = last.get(id)
        if (before !== undefined && isBefore(value.position, before)) wentBack.push(`${before} → ${value.position}`)
        last.set(id, value.position)
      }
      await sleep(5)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await watching
      await store.stop()
      return wentBack
    }
  }
}

async function startObserver(t: Test, args: readonly string[]): Promise<{ readonly child: ChildProcess; kill(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('observing-app.ts', import.meta.url)), [...args], {
    execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  let isStarted = false
  child.on('message', message => { isStarted ||= message === 'started' })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  t.teardown(kill)
  await waitFor('the observer', async () => isStarted)
  return { child, kill }
}
