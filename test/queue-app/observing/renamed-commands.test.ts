/** Servers on which `rename-command` has disabled commands that the owners of the queues do not need. */
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { observe, withHistory } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A server without some commands, whose queue has a finished and a waiting job. */
async function startWithout(t: Test, ...commands: string[]): Promise<string> {
  const { url } = await startRedis(t, { persistent: false, args: commands.flatMap(command => ['--rename-command', command, '']) })
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  await queue.add('send', { to: 'ada' })
  await waitFor('the worker', async () => worker.outcomes.length === 1)
  await worker.close()
  await queue.add('send', { to: 'eve' })
  return url
}

/** Waits until health says so about the history. */
function waitForWords({ health }: QueueApp['monitoring'], words: RegExp): Promise<unknown> {
  return waitFor('health', async () => {
    const { status, components: { backend: { message } } } = await health()
    return status === 'degraded' && words.test(message ?? '')
  })
}

t.test('without SCAN, the start says that the server does not know it, and named queues are shown', async t => {
  const url = await startWithout(t, 'SCAN')
  const queueApp = QueueApp.fromQueues({ broker: url }, await withHistory(t, { onError() {} }))
  t.teardown(() => queueApp.stop())
  await t.rejects(queueApp.start(), {
    code: 'STORE_UNSUITABLE', message: /it does not know SCAN, which finds the queues.*renamed or disabled.*`queues: \['…'\]`/
  })
  const { monitoring } = await observe(t, { broker: url, queues: ['emails'] }, { onError: error => t.fail(error.message) })
  await waitFor('the history', async () => (await monitoring.tasks())[0]?.executions.success === 1)
  t.match(await monitoring.queue('emails'), { pending: 1, running: 0 })
})

t.test('without a command that counts, nothing is counted as 0: each read is refused and names the command', async t => {
  const { monitoring } = await observe(t, { broker: await startWithout(t, 'ZCOUNT') }, { onError: error => t.fail(error.message) })
  const refusal = { code: 'STORE_REFUSED', message: /it does not know ZCOUNT.*rename-command/ }
  await t.rejects(monitoring.tasks(), refusal)
  await t.rejects(monitoring.queue('emails'), refusal)
  await t.rejects(monitoring.executions({ status: 'pending' }), refusal)
  const { status, components: { broker } } = await monitoring.health()
  t.equal(status, 'unhealthy', 'no queue can be read')
  t.match(broker.message, /^What queues at \S+ hold is not known, because it does not know ZCOUNT\..* restore the command$/)
})

t.test('without XINFO, health says that lost events go unnoticed', async t => {
  const { monitoring } = await observe(t, { broker: await startWithout(t, 'XINFO') }, { onError() {} })
  await waitFor('the history', async () => (await monitoring.tasks())[0]?.executions.success === 1)
  await waitForWords(monitoring, /Lost events of the queue emails go unnoticed \(it does not know XINFO\)/)
})

t.test('without XREAD, finished jobs that the queue still has are recorded, and health says what is missing', async t => {
  const { monitoring } = await observe(t, { broker: await startWithout(t, 'XREAD') }, { onError() {} })
  await waitFor('the history', async () => (await monitoring.tasks())[0]?.executions.success === 1)
  await waitForWords(monitoring, /The events of the queue emails cannot be read \(ERR unknown command .*jobs that it removes/)
})

t.test('without HSTRLEN, finished jobs are recorded from their events, and health says why', async t => {
  const { monitoring } = await observe(t, { broker: await startWithout(t, 'HSTRLEN') }, { onError() {} })
  await waitFor('the history', async () => (await monitoring.tasks())[0]?.executions.success === 1)
  const [finished] = (await monitoring.executions({ status: 'success' })).executions
  t.match((await monitoring.execution(finished!.executionId))?.missing, ['args'])
  await waitForWords(monitoring, /1 job could not be read .*unknown command 'hstrlen'/)
})

t.test('without commands that only save time, everything is shown', async t => {
  const url = await startWithout(t, 'EVAL_RO', 'TIME', 'LPOS')
  const { monitoring } = await observe(t, { broker: url }, { onError: error => t.fail(error.message) })
  await waitFor('the history', async () => (await monitoring.tasks())[0]?.executions.success === 1)
  t.match(await monitoring.queue('emails'), { pending: 1, running: 0 })
  t.equal((await monitoring.health()).status, 'healthy')
})
