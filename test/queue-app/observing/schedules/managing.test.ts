import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../../lib/index.ts'
import { withHistory } from '../../../support/observe.ts'
import { openQueue, startOwnersWorker, untilStored } from '../../../support/programs/owners-of-queues.ts'
import { connectPostgres } from '../../../support/servers/postgres-client.ts'
import { postgresUrl, redisUrl } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

const IN_2100 = Date.UTC(2100, 0)

const PLACES = [
  { place: 'BullMQ 5', major: 5, newUrl: redisUrl }, { place: 'BullMQ 6', major: 6, newUrl: redisUrl },
  { place: 'BullMQ 6 on PostgreSQL', major: 6, newUrl: postgresUrl }
] as const

async function open(t: Test, { major, newUrl }: typeof PLACES[number]) {
  const url = await newUrl(t)
  const queue = openQueue(t, major, 'emails', url)
  await untilStored(queue)
  const queueApp = QueueApp.fromQueues(queue, await withHistory(t, { manage: true, onError: error => t.fail(error.message) }))
  return { url, queue, queueApp, start: async () => { await queueApp.start(); t.teardown(() => queueApp.stop()) } }
}

for (const where of PLACES) {
  const { place, major } = where
  t.test(`job schedulers of ${place} can be managed`, async t => {
    await t.test('a disabled scheduler keeps its next run and does not run, even after its owner has upserted it again', async t => {
      const { url, queue, queueApp: { operations, monitoring }, start } = await open(t, where)
      const upsert = () => queue.upsertJobScheduler('often', { every: 400 }, { name: 'tick', data: { to: 'ada' } })
      const daily = () => queue.upsertJobScheduler('daily', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'report', data: { day: 1 } })
      await upsert()
      await daily()
      const before = (await queue.getJobScheduler('daily'))!
      await start()
      t.match(await operations.setScheduleEnabled('emails:daily', false, 'ada'), {
        enabled: false, nextRunAt: null, drift: [{ field: 'enabled', code: true, live: false, by: 'ada' }]
      })
      t.match(await operations.setScheduleEnabled('emails:often', false, 'bob'), { enabled: false })
      t.equal((await queue.getJobScheduler('daily'))!.next, IN_2100)
      t.same((await queue.getDelayed()).map(({ id, data }) => [id, data as object]).sort(), [
        [`repeat:daily:${IN_2100}`, { day: 1 }], [`repeat:often:${IN_2100}`, { to: 'ada' }]
      ], 'the jobs of their next runs are there')
      await upsert()
      await daily()
      await waitFor('the decision to be enforced', async () => (await queue.getJobScheduler('daily'))!.next === IN_2100)
      const worker = startOwnersWorker(t, major, 'emails', url)
      t.match(await monitoring.schedule('emails:often'), { enabled: false })
      t.match(await monitoring.schedule('emails:daily'), { enabled: false, missed: 0, drift: [{ field: 'enabled', by: 'ada' }] })

      t.match(await operations.setScheduleEnabled('emails:daily', true), { enabled: true, nextRunAt: before.next, drift: [] })
      t.same((await queue.getJobScheduler('daily'))!, before)
      t.same(worker.outcomes, [])
      t.match(await operations.setScheduleEnabled('emails:often', true), { enabled: true })
      await waitFor('it to run again', async () => worker.outcomes.length >= 2)
      t.match(worker.outcomes[0], { name: 'tick', status: 'success' })
      t.match(await monitoring.schedule('emails:often'), { enabled: true, drift: [] })
    })

    await t.test('an edit applies to the next runs, and when the owner upserts again, the chosen side wins', async t => {
      const { url, queue, queueApp: { operations, monitoring }, start } = await open(t, where)
      const upsert = () => queue.upsertJobScheduler('report', { every: 3_600_000 }, {
        name: 'report', data: { to: 'ada' }, opts: { attempts: 3 }
      })
      const daily = () => queue.upsertJobScheduler('daily', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'daily' })
      await upsert()
      await daily()
      const worker = startOwnersWorker(t, major, 'emails', url)
      await waitFor('its first run', async () => worker.outcomes.length === 1)
      await start()
      const edited = await operations.updateSchedule('emails:report', { intervalMs: 1_000, args: [{ to: 'bob' }] }, { by: 'ada' })
      t.match(edited, {
        intervalMs: 1_000, args: [{ to: 'bob' }], wins: 'live',
        drift: [
          { field: 'intervalMs', code: 3_600_000, live: 1_000, by: 'ada' }, { field: 'args', code: [{ to: 'ada' }], live: [{ to: 'bob' }] }
        ]
      })
      await waitFor('two runs by the new rule', async () => worker.outcomes.length >= 3)
      const job = await queue.getJob(worker.outcomes.at(-1)!.jobId)
      t.match(job, { data: { to: 'bob' }, opts: { attempts: 3, repeat: { every: 1_000 } } })
      await upsert()
      await waitFor('the edit to win', async () => (await queue.getJobScheduler('report'))!.every === 1_000)
      const changed = await operations.updateSchedule('emails:daily', { cron: '30 4 * * *' })
      t.match(changed, { cron: '30 4 * * *', drift: [{ field: 'cron', code: '0 3 * * *', live: '30 4 * * *' }] })
      t.equal(changed.nextRunAt! % 86_400_000, 4.5 * 3_600_000)
      await t.rejects(operations.updateSchedule('emails:daily', { cron: '0 5 * * *' }, { ifVersion: edited.version }), { code: 'CONFLICT' })
      t.match(await operations.updateSchedule('emails:daily', { wins: 'code' }), { cron: '0 3 * * *', drift: [], wins: 'code' })
      t.match(await monitoring.schedule('emails:daily'), { cron: '0 3 * * *' })
      await operations.updateSchedule('emails:daily', { cron: '30 4 * * *' })
      await daily()
      await waitFor('the code to win', async () => (await monitoring.schedule('emails:daily'))!.drift.length === 0)
      t.match(await queue.getJobScheduler('daily'), { pattern: '0 3 * * *' })
    })

    await t.test('a manual run equals a run by the owner, and the next run stays', async t => {
      const { url, queue, queueApp: { operations }, start } = await open(t, where)
      await queue.upsertJobScheduler('daily', { pattern: '0 3 * * *', tz: 'UTC' }, {
        name: 'report', data: { to: 'ada' }, opts: { priority: 3, attempts: 2 }
      })
      const before = await queue.getJobScheduler('daily')
      await start()
      const executionId = await operations.runSchedule('emails:daily')
      const job = (await queue.getJob(executionId.replace('emails:', '')))!
      t.match(job, { name: 'report', data: { to: 'ada' }, opts: { priority: 3, attempts: 2 }, priority: 3 })
      t.equal(await job.getState(), 'prioritized')
      const worker = startOwnersWorker(t, major, 'emails', url)
      await waitFor('its run', async () => worker.outcomes.length === 1)
      t.match(worker.outcomes, [{ name: 'report', status: 'success' }])
      t.same(await queue.getJobScheduler('daily'), before)
      await t.rejects(operations.runSchedule('emails:none'), { code: 'SCHEDULE_NOT_FOUND' })
    })
  })
}

t.test('changes that would not be safe beside the owner are refused with the reason, and nothing changes', async t => {
  const { queue, queueApp: { operations }, start } = await open(t, PLACES[0])
  await queue.add('old', {}, { repeat: { pattern: '0 4 * * *' } } as never)
  await queue.upsertJobScheduler('once', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'x', opts: { deduplication: { id: 'x' } } as never })
  await queue.upsertJobScheduler('daily', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'x' })
  await start()
  const old = ((await queue.getDelayed()).find(({ name }) => name === 'old')!)
  const oldId = `emails:${old.repeatJobKey}`
  const before = [await queue.getJobSchedulers(), await queue.getJobCounts()]
  for (const change of [
    async () => { await operations.setScheduleEnabled(oldId, false) }, async () => { await operations.runSchedule(oldId) },
    async () => { await operations.updateSchedule(oldId, { cron: '0 5 * * *' }) }
  ]) await t.rejects(change(), { code: 'CONFLICT', message: /left alone/ })
  await t.rejects(operations.setScheduleEnabled('emails:once', false), { code: 'CONFLICT', message: /deduplication/ })
  await t.rejects(operations.runSchedule('emails:once'), { code: 'CONFLICT', message: /deduplication/ })
  await t.rejects(operations.updateSchedule('emails:daily', { jitterMs: 5, intervalMs: 5000, args: [] }), {
    code: 'INVALID_SCHEDULE', errors: [{ pointer: '/jitter_ms' }, { pointer: '/interval_ms' }, { pointer: '/args' }]
  })
  await t.rejects(operations.deleteSchedule('emails:daily'), { code: 'OBSERVED_ONLY' })
  t.same([await queue.getJobSchedulers(), await queue.getJobCounts()], before)
})

t.test('a scheduler whose next job has very large options cannot be edited, and nothing changes', async t => {
  const opts = { description: 'x'.repeat(100_000) }
  for (const where of PLACES.slice(1)) {
    const { url, queue, queueApp: { operations }, start } = await open(t, where)
    await queue.upsertJobScheduler('daily', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'x' })
    const { id } = (await queue.getDelayed())[0]!
    if (where.newUrl === redisUrl) {
      const redis = new Redis(url)
      await redis.hset(`bull:emails:${id}`, 'opts', JSON.stringify(opts))
      redis.disconnect()
    } else {
      const client = await connectPostgres(t, url)
      await client.query('UPDATE bullmq.job SET opts = $1 WHERE id = $2', [JSON.stringify(opts), id])
    }
    await start()
    await t.rejects(operations.updateSchedule('emails:daily', { cron: '0 5 * * *' }), {
      code: 'CONFLICT', message: /The options of its runs are too large/
    }, where.place)
    t.match(await queue.getJobSchedulers(), [{ pattern: '0 3 * * *' }])
  }
})
