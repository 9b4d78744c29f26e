import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { openQueue, startOwnersWorker, type Major } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const GONE = /The queue emails was removed from its server, or the server was flushed, between (\S+) and (\S+): /
/** A gap of any cause. */
const GAP = / executions that finished then may be missing/

/** An owner whose queue removes every job that ends, and an app that keeps the history of its queues. */
async function start(t: Test, major: Major) {
  const server = await startRedis(t)
  const backend = await redisUrl(t)
  const queue = openQueue(t, major, 'emails', server.url, { defaultJobOptions: { removeOnComplete: true } })
  const worker = startOwnersWorker(t, major, 'emails', server.url)
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  const said: string[] = []
  return {
    server, queue, worker, said, redis,
    /** Adds jobs, and waits until the worker has ended them. */
    async run(count: number) {
      const before = worker.outcomes.length
      await queue.addBulk(Array.from({ length: count }, (_, to) => ({ name: 'send', data: { to } })))
      await waitFor('the worker', async () => worker.outcomes.length === before + count)
    },
    async open() {
      const queueApp = QueueApp.fromQueues({ broker: server.url }, { backend, onError: error => said.push(error.message) })
      t.teardown(() => queueApp.stop())
      await queueApp.start()
      return queueApp
    },
    gaps: () => said.filter(text => GAP.test(text))
  }
}

type Owner = Awaited<ReturnType<typeof start>>

/** By the server's clock, a job may finish this much later than its worker says. */
const LATER_MS = 500

async function totalOf({ monitoring }: QueueApp): Promise<number> {
  return (await monitoring.executions({ status: 'success', limit: 1 })).total.value
}

async function backendOf({ monitoring }: QueueApp) {
  return (await monitoring.health()).components.backend
}

/** Records 50 jobs, runs 100 more, empties the queue, and runs another 30. */
async function emptyQueue({ queue, worker, redis, run, open, gaps }: Owner, how: 'flushed' | 'obliterated', where: 'away' | 'attached') {
  await run(1)
  const first = await open()
  await run(49)
  await waitFor('the history', async () => await totalOf(first) === 50)
  if (where === 'away') await first.stop()
  await run(100)
  if (how === 'flushed') await redis.flushall()
  else {
    await queue.obliterate({ force: true })
    await queue.resume()
  }
  const to = Date.now()
  await run(30)
  const queueApp = where === 'away' ? await open() : first
  await waitFor('the gap', async () => gaps().length > 0)
  await waitFor('the rest', async () => await totalOf(queueApp) >= 80)
  const backend = await backendOf(queueApp)
  const [, begin = '', end = ''] = GONE.exec(backend.message) ?? []
  const inSpan = worker.outcomes.filter(({ finishedAt }) =>
    finishedAt >= Date.parse(begin) - LATER_MS && finishedAt <= Date.parse(end)).length
  return { recorded: await totalOf(queueApp), backend, gaps: gaps(), isToldUntil: Date.parse(end) >= to, inSpan }
}

for (const major of [5, 6] as const) {
  t.test(`BullMQ ${major}: what a queue lost that was emptied is stated`, async t => {
    const cases = [['flushed', 'away'], ['flushed', 'attached'], ['obliterated', 'away'], ['obliterated', 'attached']] as const
    // Together, because a queue without many events is checked every minute.
    await Promise.all(cases.map(async ([how, where]) => {
      const { recorded, backend, gaps, isToldUntil, inSpan } = await emptyQueue(await start(t, major), how, where)
      const what = `${how} while the dashboard is ${where}: ${recorded} of 180`
      t.equal(gaps.length, 1, `${what}: once`)
      t.match(backend, { healthy: false, message: GONE }, what)
      t.ok(isToldUntil, `${what}, ${backend.message}`)
      t.ok(180 - recorded <= inSpan, `${what}: the missing ones ended in the span that is stated, as ${inSpan} did`)
    }))
  })
}

t.test('a queue that is gone with its waiting jobs and schedules is reported once, with the last known counts', async t => {
  const { queue, worker, redis, open, run, gaps } = await start(t, 6)
  await run(1)
  await worker.close()
  await queue.addBulk(Array.from({ length: 7 }, () => ({ name: 'send', data: {} })))
  await queue.add('later', {}, { delay: 600_000 })
  await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'report' })
  const queueApp = await open()
  await waitFor('the history', async () => await totalOf(queueApp) === 1)
  await waitFor('the schedule', async () => (await queueApp.monitoring.schedules()).length === 1)
  await redis.flushall()
  const counts = /^The queue emails was removed .* At the last check, \S+, it had waiting: 9, schedules: 1$/
  await waitFor('it to be gone', async () => (await queueApp.monitoring.tasks()).length === 0)
  await waitFor('the report', async () => gaps().length > 0)
  t.match(gaps(), [counts])
  t.match(await backendOf(queueApp), { healthy: false, message: /The queue emails was removed .* it had waiting: 9, schedules: 1$/ })
  await queue.add('send', {})
  await waitFor('it to be back', async () => (await queueApp.monitoring.tasks()).some(({ name }) => name === 'emails'))
  await waitFor('its health', async () => GONE.test((await backendOf(queueApp)).message))
  t.equal(gaps().length, 1, 'it is not reported again')
})

t.test('nothing is stated after a lost connection, a restart of the server or of the dashboard, or for a new queue', async t => {
  const { server, queue, worker, redis, open, run, gaps } = await start(t, 6)
  await run(20)
  let queueApp = await open()
  await run(20)
  await waitFor('the history', async () => await totalOf(queueApp) === 40)
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await run(20)
  await waitFor('the history after the connections were lost', async () => await totalOf(queueApp) === 60)
  await queueApp.stop()
  await run(20)
  queueApp = await open()
  await waitFor('the history after a restart of the dashboard', async () => await totalOf(queueApp) === 80)
  await server.kill()
  await server.start()
  await run(20)
  await waitFor('the history after a restart of the server', async () => await totalOf(queueApp) === 100)
  await queueApp.stop()
  await server.stop()
  await server.start()
  await run(20)
  queueApp = await open()
  await waitFor('the history after both', async () => await totalOf(queueApp) === 120)
  await openQueue(t, 6, 'later', server.url).add('send', {})
  await waitFor('the new queue', async () => (await queueApp.monitoring.tasks()).some(({ name }) => name === 'later'))
  await queue.trimEvents(0)
  await run(5)
  await waitFor('the history after its stream was trimmed', async () => await totalOf(queueApp) === worker.outcomes.length)
  await queueApp.stop()
  queueApp = await open()
  t.match(await backendOf(queueApp), { healthy: true })
  t.same(gaps(), [])
})
