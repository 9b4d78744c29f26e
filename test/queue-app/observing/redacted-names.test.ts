import t from 'tap'
import { observe } from '../../support/observe.ts'
import { openQueue } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'

t.test('a redact function for the task of a queue also applies to all of its job names, wherever they are shown or recorded', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url)
  const [invoice] = await queue.addBulk([
    { name: 'invoice', data: { iban: 'DE02-secret' } }, { name: 'welcome', data: { iban: 'DE02-secret' } }
  ])
  await queue.upsertJobScheduler('monthly', { every: 3_600_000, offset: 1 }, { name: 'invoice', data: { iban: 'DE02-secret' } })
  const asked = new Set<string>()
  const queueApp = await observe(t, { broker: url }, {
    manage: true, onError: error => t.fail(error.message),
    redact: {
      with(field, value, taskName) {
        asked.add(taskName)
        return field === 'args' && taskName === 'mail' ? ['hidden'] : value
      }
    }
  })
  const { monitoring, operations } = queueApp
  const id = `mail:${invoice!.id}`
  // Now the names are known.
  t.equal((await monitoring.executions({})).executions.length >= 2, true)
  t.match(await monitoring.execution(id), { taskName: 'mail:invoice', args: ['hidden'] })
  t.match(await monitoring.schedules({}), [{ taskName: 'mail:invoice', args: ['hidden'] }])
  const cancelled = await operations.cancelExecution(id)
  t.match(await monitoring.execution(cancelled.executionId), { status: 'cancelled', taskName: 'mail:invoice', args: ['hidden'] })
  t.same([...asked], ['mail'])
})
