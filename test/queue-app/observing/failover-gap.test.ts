import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { infoField } from '../../../lib/stores/redis/checks/info.ts'
import { OWNERS } from '../../support/programs/owners-of-queues.ts'
import { startRedisSentinels } from '../../support/servers/redis-sentinel.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const REPLACED = /^Another server took over the queue emails, between (\S+) and (\S+): executions that finished then may be missing$/

const MIN_AGE_SECONDS = 5

t.test('after a failover under load, the history has what the workers did, or a gap covers what is missing', async t => {
  const group = await startRedisSentinels(t)
  const sentinels = group.sentinels.map(({ port }) => ({ host: '127.0.0.1', port }))
  const ofOwner = () => {
    const client = new Redis({ sentinels, name: group.name, maxRetriesPerRequest: null, sentinelRetryStrategy: () => 100 })
    client.on('error', () => {})
    t.teardown(() => client.disconnect())
    return client
  }
  const queue = new OWNERS[6].Queue('emails', {
    connection: ofOwner(), defaultJobOptions: { removeOnComplete: true }, streams: { events: { maxLen: 100_000 } }
  })
  queue.on('error', () => {})
  const ended: Array<{ readonly jobId: string; readonly at: number }> = []
  const worker = new OWNERS[6].Worker('emails', async () => 'sent', { connection: ofOwner(), concurrency: 5 })
  worker.on('error', () => {})
  worker.on('completed', job => { ended.push({ jobId: job.id!, at: Date.now() }) })
  t.teardown(() => Promise.all([worker.close(true), queue.close()]))
  const said: string[] = []
  const queueApp = QueueApp.fromQueues({ broker: { sentinels, name: group.name } }, {
    backend: await redisUrl(t), onError: error => said.push(error.message)
  })
  await queue.add('send', {})
  // Servers tell their age in whole seconds. One that is younger than the last check of the other may be a restart of it.
  const replica = new Redis(group.servers[1]!.url)
  t.teardown(() => replica.disconnect())
  await waitFor('an older replica', async () =>
    Number(infoField(await replica.info('server'), 'uptime_in_seconds')) >= MIN_AGE_SECONDS)
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  let isOver = false
  const load = (async () => {
    while (!isOver) {
      await queue.addBulk(Array.from({ length: 5 }, () => ({ name: 'send', data: {} }))).catch(() => {})
      await sleep(50)
    }
  })()
  t.teardown(() => { isOver = true })
  const recorded = async () => (await queueApp.monitoring.executions({ status: 'success', limit: 1 })).total.value
  await waitFor('a load', async () => await recorded() > 200)
  const old = await group.primary()
  const begunAt = Date.now()
  await group.failover()
  await waitFor('the sentinels to decide', async () => await group.primary() !== old)
  const asked = new Redis(old.url, { maxRetriesPerRequest: null })
  asked.on('error', () => {})
  t.teardown(() => asked.disconnect())
  await waitFor('the old primary to be a replica', async () => (await asked.info('replication')).includes('role:slave'))
  const demotedAt = Date.now()
  const before = ended.length
  await waitFor('the worker on the new primary', async () => ended.length > before + 100)
  isOver = true
  await load
  const gap = await waitFor('the gap', async () => said.map(text => REPLACED.exec(text)).find(found => found !== null))
  let last = -1
  await waitFor('the history to be complete', async () => {
    const isSame = last === await recorded()
    last = await recorded()
    await sleep(1_000)
    return isSame
  })
  t.comment(`${last} of ${ended.length} recorded; the old primary was one for ${demotedAt - begunAt} ms more`)
  const [, from = '', to = ''] = gap
  t.ok(Date.parse(from) <= begunAt && Date.parse(to) >= demotedAt, `stated: ${from} to ${to}`)
  const outside = ended.filter(({ at }) => at < Date.parse(from) || at > Date.parse(to))
  t.ok(last >= outside.length, 'what ended at another time is recorded')
  t.equal(said.filter(text => REPLACED.test(text)).length, 1)
  t.match((await queueApp.monitoring.health()).components.backend, { healthy: false, message: /Another server took over the queue emails/ })
})
