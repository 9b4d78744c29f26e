import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A task that fails until it is fixed. */
async function open(t: Test, url: string) {
  const queueApp = QueueApp.fromUrls({ broker: url })
  const state = { isMended: false }
  queueApp.task('job', async (_what: number) => { if (!state.isMended) throw new Error('away') })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  const { monitoring, operations } = queueApp
  const group = async () => (await monitoring.failureGroups({})).groups[0]!
  return {
    queueApp, state, operations, group,
    async fail(count: number, total = count): Promise<readonly string[]> {
      const ids = await queueApp.enqueueMany('job', Array.from({ length: count }, (_, index) => [index]))
      await waitFor('the failures', async () => (await monitoring.failureGroups({})).groups[0]?.count === total)
      return ids
    },
    async retry(id: string, status: 'success' | 'failed' = 'success'): Promise<string> {
      const { executionId } = await operations.retryExecution(id)
      await waitFor('the retry', async () => (await monitoring.execution(executionId))?.status === status)
      return executionId
    },
    until: (wanted: string) => waitFor(`the group to be ${wanted}`, async () => (await group()).state === wanted)
  }
}

t.test('a group is resolved once each of its failures was retried successfully', t => onEveryStore(t, async (t, url) => {
  const { state, group, fail, retry, until, operations } = await open(t, url)
  const [one, two] = await fail(2)
  // The failure of the retry belongs to the group too.
  const again = await retry(one!, 'failed')
  await waitFor('it to be counted', async () => (await group()).count === 3)
  state.isMended = true
  await retry(two!)
  t.equal((await group()).state, 'open', 'one retry has failed')
  await retry(again)
  await until('resolved')
  const { errorGroup, count, decision } = await group()
  t.match(decision, { isResolved: true, isAutomatic: true, by: null, note: null })
  t.equal(count, 3, 'counts do not change')

  await operations.reopenFailureGroup(errorGroup, { by: 'ada', note: 'ticket 7' })
  for (const [total, standing] of [[4, 'open'], [5, 'regressed']] as const) {
    state.isMended = false
    const [next] = await fail(1, total)
    t.equal((await group()).state, standing)
    state.isMended = true
    await retry(next!)
    await until('resolved')
    t.match((await group()).decision, { isAutomatic: true, by: null, note: 'ticket 7' }, 'a note stays')
  }
}))

t.test('a reopened group is left alone when retries of another group of the task succeed', t => onEveryStore(t, async (t, url) => {
  const queueApp = QueueApp.fromUrls({ broker: url })
  let isMended = false
  queueApp.task('job', async (kind: string) => {
    if (!isMended) throw kind === 'type' ? new TypeError('wrong') : new RangeError('far')
  })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  const { monitoring, operations } = queueApp
  const groups = async () => new Map((await monitoring.failureGroups({})).groups.map(each => [each.type, each]))
  const ids = await queueApp.enqueueMany('job', [['type'], ['range'], ['range']])
  await waitFor('the failures', async () => (await groups()).get('RangeError')?.count === 2 && (await groups()).has('TypeError'))
  isMended = true
  await operations.retryExecution(ids[0]!)
  await waitFor('the group', async () => (await groups()).get('TypeError')!.state === 'resolved')
  await operations.reopenFailureGroup((await groups()).get('TypeError')!.errorGroup, { by: 'ada', note: 'still wrong' })
  for (const id of ids.slice(1)) await operations.retryExecution(id)
  await waitFor('the other group', async () => (await groups()).get('RangeError')!.state === 'resolved')
  // The group is checked in the same pass, or in the next.
  await new Promise(resolve => setTimeout(resolve, 3_000))
  t.match((await groups()).get('TypeError'), { state: 'open', decision: { isResolved: false, by: 'ada', note: 'still wrong' } })
}))

t.test('the last retry counts even if its process stops at once', t => onEveryStore(t, async (t, url) => {
  const { queueApp, state, fail, operations } = await open(t, url)
  const [one] = await fail(1)
  state.isMended = true
  const { executionId } = await operations.retryExecution(one!)
  const { monitoring } = queueApp
  await waitFor('the retry', async () => (await monitoring.execution(executionId))?.status === 'success')
  await queueApp.stop()
  const reader = QueueApp.fromUrls({ broker: url })
  await reader.start()
  t.teardown(() => reader.stop())
  t.equal((await reader.monitoring.failureGroups({})).groups[0]?.state, 'resolved')
}))
