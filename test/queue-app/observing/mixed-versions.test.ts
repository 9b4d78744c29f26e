import { Redis } from 'ioredis'
import t from 'tap'
import { connectionOf, openQueue, OWNERS, type Major } from '../../support/programs/owners-of-queues.ts'
import { managerOfPackage } from '../../support/programs/managers-of-queues.ts'
import { observe } from '../../support/observe.ts'
import { redisUrl, type TestScope } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const NAMES = { queue: 'emails', scheduler: 'report' }
const VERSIONS = { 5: 'bullmq:5.81.5', 6: 'bullmq:6.7.0' } as const
const TOKEN = 'token'

t.test('if both versions open a queue, health says so, pauses are refused with the way out, and jobs from here survive', async t => {
  const { redis, url, queues, worker } = await setUp(t)
  const failed = await queues[6].add('send', { to: 'ada' })
  const job = await worker.getNextJob(TOKEN, { block: false })
  await job.moveToFailed(new Error('no'), TOKEN, false)
  const queueApp = await observe(t, { broker: url }, { manage: true })
  const { monitoring, operations } = queueApp
  const record = await waitFor('the failure', async () => (await monitoring.executions({ status: 'failed' })).executions[0])
  await opened(redis, 6)
  await waitFor('the queue', async () => await monitoring.queue('emails') !== null)
  t.equal((await monitoring.health()).status, 'healthy', 'one version alone is no problem')

  await opened(redis, 5)
  await monitoring.queues()
  const { status, components } = await monitoring.health()
  t.equal(status, 'degraded')
  t.match(components.workers.message, /both BullMQ 5 and 6 used the queue "emails".*let only version 6 do that, and move all its code to one/)
  const refused = { code: 'CONFLICT', message: /BullMQ 5 and 6 both used the queue "emails" in the last 24 hours.*move all code.*let only version 6 pause and resume/ }
  await t.rejects(operations.pauseQueue('emails'), refused)
  t.equal(await queues[5].isPaused(), false)
  t.equal((await operations.resumeQueue('emails'), await queues[5].isPaused()), false, 'a queue that is not paused needs no resume')
  await t.rejects(operations.runTask('emails', { delayMs: 60_000 }), { code: 'CONFLICT', message: /priority of 1 or more/ })

  await operations.retryExecution(record.executionId)
  const added = (await operations.runTask('emails')).slice('emails:'.length)
  await operations.runTask('emails', { delayMs: 60_000, priority: 1 })
  t.same(await redis.zrange('bull:emails:prioritized', '0', '-1'), [failed.id, added])
  // Each list is overwritten once.
  await queues[5].pause()
  await t.rejects(operations.resumeQueue('emails'), refused)
  for (const step of [
    () => queues[5].add('send', {}), () => queues[6].add('send', {}), () => queues[5].resume(), () => queues[6].pause(),
    () => queues[5].add('send', {}), () => queues[5].pause(), () => queues[6].resume()
  ]) await step()
  const ran: unknown[] = []
  for (let next; (next = await worker.getNextJob(TOKEN, { block: false }));) {
    await next.moveToCompleted('yes', TOKEN, false)
    ran.push(next.id)
  }
  t.ok(ran.includes(failed.id) && ran.includes(added), 'the owners lost jobs of their own, but none from here')
  t.equal(await queues[6].getDelayedCount(), 1)
})

t.test('jobs that the next resume of version 5 would discard are reported, even if only one version is stored', async t => {
  const { redis, url, queues } = await setUp(t)
  await opened(redis, 5)
  const { monitoring, operations } = await observe(t, { broker: url }, { manage: true })
  await queues[5].add('send', {})
  await queues[5].pause()
  await queues[6].add('send', {})
  await waitFor('a warning', async () =>
    /Both BullMQ 5 and 6 have put jobs into the queue "emails".*if version 5 pauses or resumes it now, it discards jobs/
      .test((await monitoring.health()).components.workers.message))
  await t.rejects(operations.resumeQueue('emails'), { code: 'CONFLICT' })
  await queues[6].resume()
  t.equal(await redis.llen('bull:emails:wait'), 2, 'as the message advises')
  await waitFor('another problem', async () => /In the last 24 hours/.test((await monitoring.health()).components.workers.message))
})

t.test('an upgrade from 5 to 6 is no problem of health', async t => {
  const { redis, url } = await setUp(t)
  await opened(redis, 5)
  const { monitoring, operations } = await observe(t, { broker: url }, { manage: true })
  await waitFor('the queue', async () => await monitoring.queue('emails') !== null)
  await opened(redis, 6)
  await monitoring.queues()
  t.equal((await monitoring.health()).status, 'healthy')
  await t.rejects(operations.pauseQueue('emails'), { code: 'CONFLICT' }, 'version 5 may still be there')
})

t.test('a queue that was paused for an upgrade from 5 to 6 can be resumed after it', async t => {
  const { redis, queues } = await setUp(t)
  const us = managerOfPackage(redis, NAMES)
  await opened(redis, 5)
  await us.look()
  await queues[5].add('send', {})
  t.equal(await us.pause(), true)
  t.equal(await redis.llen('bull:emails:paused'), 1)
  await opened(redis, 6)
  await queues[6].add('send', {})
  for (const look of [async () => {}, () => us.look()]) {
    await look()
    t.equal(await us.resume(), true)
    t.same([await queues[6].isPaused(), await redis.llen('bull:emails:wait'), await redis.llen('bull:emails:paused')], [false, 2, 0])
    await queues[6].pause()
  }
})

// The shortest sequences in which a change that is refused would lose a job that is not lost without it. BullMQ itself decides here which
// list it overwrites, so no form of a pause or resume is safe.
const SEQUENCES = {
  'any pause': [5, 6].map(opened => ({ opened, steps: ['we pause', '5 add', '6 add', '5 resume'] })),
  'any resume': [{ opened: 5, steps: ['5 pause', 'we resume', '5 add', '6 pause', '5 add', '5 resume'] }]
}
for (const [what, sequences] of Object.entries(SEQUENCES)) {
  t.test(`${what} of a queue that both versions use could lose a job that would not be lost without it`, async t => {
    for (const { opened: major, steps } of sequences) {
      const left = { made: 0, refused: 0, without: 0 }
      for (const how of ['made', 'refused', 'without'] as const) {
        const { redis, queues } = await setUp(t)
        const us = managerOfPackage(redis, NAMES)
        for (const each of (how === 'made' ? [major] : [5, 6, 5, major]) as Major[]) {
          await opened(redis, each)
          await us.look()
        }
        for (const step of steps) {
          if (step === 'we pause') await (how === 'without' || us.pause())
          else if (step === 'we resume') await (how === 'without' || us.resume())
          else {
            const [version, verb] = step.split(' ') as ['5' | '6', 'add' | 'pause' | 'resume']
            await (verb === 'add' ? queues[version].add('send', {}) : queues[version][verb]())
          }
        }
        left[how] = await redis.llen('bull:emails:wait')
      }
      t.same(left, { made: 1, refused: 2, without: 2 }, steps.join(', '))
    }
  })
}

async function setUp(t: TestScope) {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const queues = { 5: openQueue(t, 5, NAMES.queue, url), 6: openQueue(t, 6, NAMES.queue, url) }
  const worker = new OWNERS[6].Worker(NAMES.queue, null, { connection: connectionOf(url) })
  worker.on('error', () => {})
  t.teardown(() => worker.close())
  await Promise.all([queues[5].waitUntilReady(), queues[6].waitUntilReady(), worker.waitUntilReady()])
  await redis.flushdb()
  return { redis, url, queues, worker }
}

/** As if a `Queue` of this version was opened. */
async function opened(redis: Redis, major: Major): Promise<void> {
  await redis.hset('bull:emails:meta', { 'version': VERSIONS[major], 'opts.maxLenEvents': 10_000 })
}
