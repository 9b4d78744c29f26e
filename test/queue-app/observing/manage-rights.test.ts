import { Redis } from 'ioredis'
import t from 'tap'
import { MANAGING_SCRIPTS } from '../../../lib/engine/observing/managing/manage-redis.ts'
import { TRIED_COMMANDS } from '../../../lib/engine/observing/managing/needed-rights.ts'
import { MANAGING_RIGHTS, OBSERVING_USER } from '../../support/documented-rights.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { observe } from '../../support/observe.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('each script tries all of its commands before it changes anything', t => {
  const used = new Set([...MANAGING_SCRIPTS].flatMap(script =>
    [...script.matchAll(/redis\.call\((?:'(\w+)'|\w+ and '(\w+)' or '(\w+)')/g)].flatMap(([, ...names]) => names.filter(Boolean))))
  t.same([...used].sort(), TRIED_COMMANDS.toSorted())
  const given = new Set([...OBSERVING_USER, ...MANAGING_RIGHTS].map(right => right.slice(1).toUpperCase()))
  t.same(TRIED_COMMANDS.filter(command => !given.has(command)), [], 'the documented rights are enough')
  t.end()
})

for (const major of [5, 6] as const) {
  t.test(`if any one of the rights is missing, nothing in a queue of BullMQ ${major} changes`, async t => {
    const server = await startRedis(t)
    const redis = new Redis(server.url)
    t.teardown(() => redis.disconnect())
    const queue = openQueue(t, major, 'emails', server.url)
    const worker = startOwnersWorker(t, major, 'emails', server.url)
    const failed = await queue.add('send', { fail: true })
    await waitFor('its failure', async () => worker.outcomes.length === 1)
    await worker.close()
    const waiting = await queue.add('send', {})
    await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'report' })
    await redis.call('ACL', ...OBSERVING_USER, ...MANAGING_RIGHTS)
    const { operations, monitoring } = await observe(
      t, { broker: server.url.replace('redis://', 'redis://dashboard:secret@') }, { manage: true }
    )
    const found = await waitFor('the failure', async () => (await monitoring.executions({ status: 'failed' })).executions[0])
    const schedule = await waitFor('the schedule', async () => (await monitoring.schedules())[0])
    const changes: Record<string, () => Promise<unknown>> = {
      retry: () => operations.retryExecution(found.executionId),
      cancel: () => operations.cancelExecution(`emails:${waiting.id}`),
      priority: () => operations.updateExecution(`emails:${waiting.id}`, { priority: 4 }),
      pause: () => operations.pauseQueue('emails'),
      run: () => operations.runTask('emails:send', { args: [{}] }),
      disable: () => operations.setScheduleEnabled(schedule.scheduleId, false)
    }
    const before = await dump(redis)
    for (const right of MANAGING_RIGHTS.filter(right => right !== '+eval')) {
      await redis.call('ACL', 'SETUSER', 'dashboard', right.replace('+', '-'))
      for (const [name, change] of Object.entries(changes))
        await t.rejects(change(), { code: 'STORE_REFUSED', message: /docs\/existing-queues\.md/ }, `${name} without ${right}`)
      t.same(await dump(redis), before, `nothing changed without ${right}`)
      await redis.call('ACL', 'SETUSER', 'dashboard', right)
    }
    await operations.retryExecution(found.executionId)
    t.equal(await queue.getJob(failed.id!).then(job => job?.getState()), 'waiting', 'with all rights, it is done')
  })
}

/** Everything in the database. */
async function dump(redis: Redis): Promise<Record<string, string>> {
  const keys = (await redis.keys('*')).sort()
  const values = await Promise.all(keys.map(async key => (await redis.dumpBuffer(key))?.toString('base64') ?? ''))
  return Object.fromEntries(keys.map((key, index) => [key, values[index]!]))
}
