import t from 'tap'
import { createTaskDashboardError } from '../../../../lib/errors.ts'
import { QueueApp } from '../../../../lib/index.ts'
import type { Execution } from '../../../../lib/execution.ts'
import { createKnownRetries } from '../../../../lib/queue-app/monitoring/executions/known-retries.ts'
import { retryIdOf } from '../../../../lib/queue-app/operations/retry-id.ts'
import { inTime } from '../../../support/in-time.ts'
import { onEveryStore } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

t.test('a list has the retry of each failed execution, from its enqueue until it is recorded', t => onEveryStore(t, async (t, url) => {
  const queueApp = QueueApp.fromUrls({ broker: url, backend: url })
  t.teardown(() => queueApp.stop())
  let isMended = false
  queueApp.task('job', async (what: string) => { if (!isMended || what === 'hopeless') throw new Error('no') }, { concurrency: 5 })
  await queueApp.start()
  const by = 'ada'
  const [id, hopeless, untouched] = await queueApp.enqueueMany('job', [['first'], ['hopeless'], ['untouched']])
  const failed = () => queueApp.monitoring.executions({ status: 'failed' })
  await waitFor('all to fail', async () => (await failed()).executions.length === 3)
  t.strictSame((await failed()).retries, new Map())

  isMended = true
  const { operations } = queueApp
  await operations.pauseQueue('job', { by, reason: 'a look at what waits' })
  const retry = await operations.retryExecution(id!)
  t.match((await failed()).retries?.get(id!), { executionId: retry.executionId, status: 'pending' })
  t.equal((await failed()).retries?.size, 1)
  const hidden = await queueApp.within(name => name !== 'job').monitoring.executions({ status: 'failed' })
  t.strictSame([hidden.executions, hidden.retries], [[], new Map()])

  const second = await operations.retryExecution(hopeless!)
  await operations.resumeQueue('job')
  await waitFor('both retries to end, one as a failed execution', async () => {
    const { executions, retries } = await failed()
    return executions.length === 4 && retries?.get(id!)?.status === 'success' && retries.get(hopeless!)?.status === 'failed'
  })
  const { retries } = await failed()
  t.equal(retries?.get(hopeless!)?.executionId, second.executionId)
  t.notOk(retries?.has(untouched!))
  t.notOk(retries?.has(second.executionId))
}))

t.test('the id of a retry is the same in every version, because processes of two versions may run side by side', async t => {
  t.equal(retryIdOf('01a22131-1f10-71b8-ab74-029cd67213df'), '01a22131-1f10-70fc-869b-119292e2dcbb')
  t.equal(retryIdOf('e-1'), '00000000-0000-70e8-8f55-5444b1bdd3df')
})

const of = (executionId: string, fields: Partial<Execution> = {}): Execution =>
  ({ executionId, taskName: 'a', status: 'failed', ...fields } as Execution)

t.test('retries in one store are found even if the other store is unreachable', async t => {
  const away = async () => { throw createTaskDashboardError('BROKER_UNAVAILABLE', ['cannot be reached']) }
  const retry = of(retryIdOf('e-1'), { status: 'success' })
  const has = async () => [retry] as never
  t.strictSame(await createKnownRetries({ engine: { findMany: away }, backend: { findMany: has } })([of('e-1')]), new Map([['e-1', retry]]))
  t.strictSame(await createKnownRetries({ engine: { findMany: has }, backend: { findMany: away } })([of('e-1')]), new Map([['e-1', retry]]))
  const broken = async () => { throw new Error('a defect') }
  await t.rejects(createKnownRetries({ engine: { findMany: broken }, backend: { findMany: has } })([of('e-1')]), { message: 'a defect' })
})

t.test('a store that does not respond does not delay a list', async t => {
  const silent = () => new Promise<never>(() => {})
  const retry = of(retryIdOf('e-1'), { status: 'success' })
  const has = async () => [retry] as never
  for (const [engine, backend] of [[silent, has], [has, silent]] as const) {
    const known = createKnownRetries({ engine: { findMany: engine }, backend: { findMany: backend } })
    await inTime(t, 'the retries', 1_000, async () => t.strictSame(await known([of('e-1')]), new Map([['e-1', retry]])))
  }
})

t.test('executions that have not failed, and jobs of observed queues, cause no read', async t => {
  const asked: unknown[] = []
  const findMany = async (...query: unknown[]) => { asked.push(query); return [] }
  const known = createKnownRetries({ engine: { findMany }, backend: { findMany } })
  t.strictSame(await known([of('e-1', { status: 'success' }), of('e-2', { status: 'running' }), of('e-3', { jobName: 'mail' })]), new Map())
  t.strictSame(asked, [])
  await known([of('e-4'), of('e-5', { taskName: 'b' })])
  t.strictSame(asked, [
    [['a', 'b'], [retryIdOf('e-4'), retryIdOf('e-5')]], [[retryIdOf('e-4'), retryIdOf('e-5')], { payloads: false }]
  ])
})
