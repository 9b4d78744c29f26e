import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { onEveryStore, redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

await onEveryStore(t, async (t, backend, kind) => {
  // Only one process can open the embedded store.
  if (kind === 'embedded') return
  const [here, there] = await Promise.all([redisUrl(t), redisUrl(t)])
  const namespace = testNamespace()
  const open = async (broker: string, options: object = {}) => {
    const errors: string[] = []
    const queueApp = QueueApp.fromQueues({ broker }, { backend, namespace, onError: error => errors.push(error.message), ...options })
    t.teardown(() => queueApp.stop())
    await queueApp.start()
    return { queueApp, errors }
  }
  const run = async (url: string, jobs: number) => {
    const queue = openQueue(t, 6, 'emails', url, { defaultJobOptions: { removeOnComplete: true } })
    const worker = startOwnersWorker(t, 6, 'emails', url)
    await queue.addBulk(Array.from({ length: jobs }, (_, to) => ({ name: 'send', data: { to } })))
    await waitFor('the worker', async () => worker.outcomes.length === jobs)
  }
  const successes = async (queueApp: QueueApp) => (await queueApp.monitoring.tasks())[0]?.executions.success ?? 0
  await run(here, 20)
  await run(there, 7)

  await t.test('a second dashboard for another server in the same namespace is refused, with advice', async t => {
    const first = await open(here)
    await waitFor('the history', async () => await successes(first.queueApp) === 20)
    await t.rejects(open(there), { code: 'STORE_UNSUITABLE', message: /another dashboard keeps the history of queues at .*`namespace`/ })
    const beside = await open(there, { namespace: testNamespace() })
    await waitFor('its own history', async () => await successes(beside.queueApp) === 7)
    const same = await open(here)
    t.equal(await successes(same.queueApp), 20, 'another dashboard for the same server is allowed')
    await Promise.all([first, beside, same].map(({ queueApp }) => queueApp.stop()))
  })

  await t.test('after a change to another server, its events are read from the beginning, and the mixed history is reported', async t => {
    const { queueApp, errors } = await open(there)
    t.match(errors, [/history at .* also has executions of queues at .*`namespace`/])
    await waitFor('both', async () => await successes(queueApp) === 27)
    t.equal(await successes(queueApp), 27)
  })
})
