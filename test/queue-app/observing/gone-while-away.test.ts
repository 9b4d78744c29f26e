/** Queues that are removed while no dashboard runs, and that no option names. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { QueueApp, type QueuesSource } from '../../../lib/index.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const GAP = / executions that finished then may be missing/
const GONE = /^The queue emails was removed from its server, or the server was flushed, between (\S+) and (\S+): /

/** A server with the queues `emails` and `kept`, and a history of both. Their owner has stopped. */
async function start(t: Test) {
  const server = await startRedis(t)
  const backend = await redisUrl(t)
  const said: string[] = []
  async function open(source: QueuesSource = { broker: server.url }) {
    const queueApp = QueueApp.fromQueues(source, { backend, onError: error => said.push(error.message) })
    t.teardown(() => queueApp.stop())
    await queueApp.start()
    return queueApp
  }
  const recorded = async ({ monitoring }: QueueApp): Promise<number> =>
    (await monitoring.executions({ status: 'success', limit: 1 })).total.value
  const [emails, kept] = ['emails', 'kept'].map(name =>
    openQueue(t, 6, name, server.url, { defaultJobOptions: { removeOnComplete: true } }))
  const workers = ['emails', 'kept'].map(name => startOwnersWorker(t, 6, name, server.url))
  await emails!.add('send', {})
  await kept!.add('send', {})
  const queueApp = await open()
  await waitFor('the history', async () => await recorded(queueApp) === 2)
  for (const worker of workers) await worker.close()
  await emails!.addBulk(Array.from({ length: 3 }, () => ({ name: 'send', data: {} })))
  await queueApp.stop()
  return { server, emails: emails!, open, recorded, gaps: () => said.filter(text => GAP.test(text)) }
}

async function backendOf({ monitoring }: QueueApp) {
  return (await monitoring.health()).components.backend
}

t.test('a queue that was removed while the dashboard did not run is reported once', async t => {
  const { server, emails, open, recorded, gaps } = await start(t)
  const from = Date.now()
  await emails.obliterate({ force: true })
  const to = Date.now()
  // It shows nothing of this queue, so it cannot tell.
  for (const source of [{ queues: ['kept'] }, { prefix: 'elsewhere' }]) {
    const other = await open({ broker: server.url, ...source })
    await waitFor('a round', async () => (await other.monitoring.health()).components.backend.healthy)
    await sleep(1_000)
    await other.stop()
  }
  t.same(gaps(), [])

  let queueApp = await open()
  await waitFor('the report', async () => gaps().length > 0, 20_000)
  t.match(gaps(), [GONE])
  const [said = '', begin = '', end = ''] = GONE.exec(gaps()[0]!) ?? []
  t.ok(Date.parse(begin) <= from && Date.parse(end) >= to, said)
  const health = await backendOf(queueApp)
  t.match(health, { healthy: false, message: /The queue emails was removed/ })
  await queueApp.stop()

  queueApp = await open()
  await emails.resume()
  await emails.add('send', {})
  startOwnersWorker(t, 6, 'emails', server.url)
  await waitFor('the queue that is back', async () => await recorded(queueApp) === 3)
  t.equal(gaps().length, 1, 'it is not reported again')
})

t.test('nothing is stated after a start that failed because the server was away', async t => {
  const { server, open, recorded, gaps } = await start(t)
  await server.stop()
  await t.rejects(open(), { code: 'STORE_UNREACHABLE' })
  await server.start()
  startOwnersWorker(t, 6, 'emails', server.url)
  const queueApp = await open()
  await waitFor('the jobs that waited', async () => await recorded(queueApp) === 5)
  t.same(gaps(), [])
})
