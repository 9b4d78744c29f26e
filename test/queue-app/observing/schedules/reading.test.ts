import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createDiscovery } from '../../../../lib/engine/observing/discovery.ts'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import { SCHEDULERS } from '../../../../lib/engine/observing/schedulers/schedulers-of-servers.ts'
import { createObservedSchedules } from '../../../../lib/queue-app/observing/schedules/observed-schedules.ts'
import { createScheduleBooks } from '../../../../lib/queue-app/observing/schedules/schedule-book.ts'
import { createSchedulerWatch } from '../../../../lib/queue-app/observing/schedules/watch-schedulers.ts'
import { createReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { parseRedisSource } from '../../../../lib/stores/redis/source/redis-source.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { observe } from '../../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** The parts of an app that read schedulers. They check the schedulers whenever the test calls `look`. */
async function openReads(t: Test, url: string) {
  const onError = (error: Error) => t.fail(error.message)
  const server = createObservedRedis(createReadClient(parseRedisSource({ url }, 'redis:', 'broker'), onError))
  const discovery = createDiscovery([{ server, prefix: 'bull', label: null, queues: ['emails'] }], { onError: () => {} })
  await discovery.start()
  t.teardown(() => discovery.stop())
  const documents = createMemoryDocuments()
  const books = createScheduleBooks(documents)
  const forgotten: string[] = []
  const watch = createSchedulerWatch({
    discovery, books, reads: SCHEDULERS, leases: documents, holder: 'this', onForgotten: async id => { forgotten.push(id) }, onError
  })
  return { schedules: createObservedSchedules({
    discovery, books, reads: SCHEDULERS, names: { taskOf: name => name, tasksOf: () => [] }, patienceMs: 15_000, manages: true,
    problem: watch.problem
  }), look: watch.runOnce }
}

for (const major of [5, 6] as const) {
  t.test(`job schedulers of BullMQ ${major} are shown as schedules with BullMQ's data, and their runs belong to them`, async t => {
    const url = await redisUrl(t)
    const queue = openQueue(t, major, 'emails', url)
    await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'Europe/Berlin', endDate: Date.UTC(2040, 0) }, {
      name: 'report', data: { to: 'ada' }, opts: { priority: 5, attempts: 3 }
    })
    await queue.upsertJobScheduler('often', { every: 500 }, { name: 'tick', opts: { removeOnComplete: true } })
    const worker = startOwnersWorker(t, major, 'emails', url)
    await waitFor('some runs', async () => worker.outcomes.length >= 2)
    await worker.close()
    const queueApp = await observe(t, queue)
    const nightly = (await queue.getJobScheduler('nightly'))!
    t.match(await queueApp.monitoring.schedule('emails:nightly'), {
      taskName: 'emails', scheduleType: 'cron', cron: '0 3 * * *', timezone: 'Europe/Berlin', human: 'At 03:00', enabled: true,
      description: 'nightly (report)', args: [{ to: 'ada' }], priority: 5, nextRunAt: nightly.next, endAt: Date.UTC(2040, 0), missed: 0,
      overdue: false, drift: [], changes: 'none', note: null
    })
    const often = await waitFor('its runs in the history', async () => {
      const found = await queueApp.monitoring.schedule('emails:often')
      return found?.success === worker.outcomes.length && found
    })
    t.match(often, { scheduleType: 'interval', intervalMs: 500, human: 'every 0.5 seconds', lastStatus: 'success' })
    const { executions } = await queueApp.monitoring.executions({ scheduleId: 'emails:often', status: 'success' })
    t.equal(executions.length, worker.outcomes.length)
    t.same((await queueApp.monitoring.schedules({ order: 'nextRun' })).map(({ scheduleId }) => scheduleId).sort(), [
      'emails:nightly', 'emails:often'
    ])
    t.equal((await queueApp.monitoring.statistics()).schedules.total, 2)
    t.match(await queueApp.monitoring.tasks(), [{ name: 'emails', schedules: 2 }])
    const from = Math.floor(Date.now() / 3_600_000) * 3_600_000
    const agenda = await queueApp.monitoring.scheduleAgenda(from, from + 24 * 3_600_000)
    t.match(agenda.schedules.find(({ scheduleId }) => scheduleId === 'emails:nightly'), { total: 1 })
    const { setScheduleEnabled, runSchedule, updateSchedule, deleteSchedule } = queueApp.operations
    await t.rejects(setScheduleEnabled('emails:nightly', false), { code: 'OBSERVED_ONLY' })
    await t.rejects(runSchedule('emails:nightly'), { code: 'OBSERVED_ONLY' })
    await t.rejects(updateSchedule('emails:nightly', { cron: '0 4 * * *' }), { code: 'OBSERVED_ONLY' })
    await t.rejects(deleteSchedule('emails:nightly'), { code: 'OBSERVED_ONLY' })
    t.same(await queue.getJobScheduler('nightly'), nightly)
  })
}

t.test('missed runs are counted exactly, and until the next run the schedule shows as overdue', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  await queue.upsertJobScheduler('often', { every: 200 }, { name: 'tick' })
  const { schedules, look } = await openReads(t, url)
  await look()
  // No worker runs during this time.
  const first = (await queue.getJobScheduler('often'))!.next!
  await waitFor('some due times to pass', async () => Date.now() > first + 1_000)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  await waitFor('two runs', async () => worker.outcomes.length >= 2)
  await worker.close()
  const { next, iterationCount } = (await queue.getJobScheduler('often'))!
  await look()
  // Of the due times until the next one, BullMQ's counter says how many ran.
  const missed = Math.round((next! - first) / 200) - (iterationCount! - 1)
  t.ok(missed >= 3, `${missed} were missed`)
  const after = await waitFor('the counts to be updated', async () => {
    const found = await schedules.get('emails:often')
    return found?.missed === missed && found
  })
  t.match(after, { missed, late: 0 })
  const entries = await schedules.misses('emails:often')
  t.match(entries, [{ kind: 'missed', reason: 'unknown', count: missed }])
  await look()
  t.equal((await schedules.get('emails:often'))?.missed, missed, 'once')
})

t.test('repeatable jobs, custom rules and lost runs are shown with what is wrong, and left alone', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 5, 'emails', url)
  await queue.add('old', {}, { repeat: { pattern: '0 4 * * *' } } as never)
  await queue.upsertJobScheduler('lost', { pattern: '0 5 * * *', tz: 'UTC' }, { name: 'report' })
  await queue.upsertJobScheduler('a:b\n'.repeat(60), { every: 60_000 }, { name: 'tick' })
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const lost = (await queue.getJobScheduler('lost'))!
  await redis.del(`bull:emails:repeat:lost:${lost.next}`)
  await redis.zrem('bull:emails:delayed', `repeat:lost:${lost.next}`)
  await redis.zadd('bull:emails:repeat', Date.now() + 60_000, 'ancient::::*/5 * * * *')
  const at = Date.now() + 60_000
  await redis.zadd('bull:emails:repeat', at, 'ruled')
  await redis.zadd('bull:emails:delayed', at * 4096, `repeat:ruled:${at}`)
  await redis.hset('bull:emails:repeat:ruled', 'name', 'ruled', 'pattern', 'FREQ=DAILY', 'ic', '1')
  const { schedules } = await openReads(t, url)
  const all = await schedules.list()
  t.equal(all.length, 5)
  const of = (text: string) => all.find(({ description, scheduleId }) => description?.startsWith(text) || scheduleId.includes(text))!
  t.match(of('emails:lost'), { nextRunAt: null, overdue: false, note: /^No run is planned/ })
  t.match(of('ancient'), { cron: '*/5 * * * *', missed: null, late: null, note: /^A repeatable job/ })
  t.match(of('ruled'), { cron: 'FREQ=DAILY', missed: null, note: /^Only the code of its owner/ })
  const old = all.find(({ cron }) => cron === '0 4 * * *')!
  t.match(old, { note: /^A repeatable job/, missed: null })
  t.match(all.find(({ intervalMs }) => intervalMs === 60_000), { scheduleId: /^[\w-]{43}$/, note: null })
  t.equal(await redis.zcard('bull:emails:repeat'), 5, 'none was removed')
})
