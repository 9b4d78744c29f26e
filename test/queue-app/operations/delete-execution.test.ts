import fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { ExecutionDetail, ExecutionPage } from '../../../schemas/execution.ts'
import type { FailureGroupPage } from '../../../schemas/failure.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { dumpPostgres, dumpRedis } from '../../support/servers/dump-store.ts'
import { onEveryStore, postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A queue app with a task that fails, succeeds or runs on as its argument says, and its dashboard. */
async function serve(t: { teardown(end: () => Promise<void>): void }, url: string) {
  const queueApp = QueueApp.fromUrls({ broker: url })
  let release = (): void => {}
  const released = new Promise<void>(resolve => { release = resolve })
  queueApp.task('job', async (what: string, marker?: string) => {
    if (what === 'runs') await released
    if (what === 'fails') throw new Error('no connection')
    return marker ?? 'done'
  }, { concurrency: 1 })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', requireReason: ['executions:delete'] })
  let isEnded = false
  const end = async (): Promise<void> => {
    if (isEnded) return
    isEnded = true
    release()
    await server.close()
    await queueApp.stop()
  }
  t.teardown(end)
  const get = async <Answer>(path: string): Promise<Answer> => (await server.inject(`/tasks/api${path}`)).json<Answer>()
  const read = (id: string) => get<ExecutionDetail>(`/executions/${id}`)
  return {
    queueApp, get, read, release, end,
    remove: (id: string) =>
      server.inject({ method: 'DELETE', url: `/tasks/api/executions/${id}`, headers: { 'audit-reason': 'personal%20data' } }),
    removeSilently: (id: string) => server.inject({ method: 'DELETE', url: `/tasks/api/executions/${id}` }),
    retry: (id: string) => server.inject({ method: 'POST', url: `/tasks/api/executions/${id}/retry` }),
    async finished(...args: string[]): Promise<string> {
      const id = await queueApp.enqueue('job', args)
      await waitFor('its end', async () => (await read(id)).finished_at !== null)
      return id
    }
  }
}

t.test('a finished execution can be deleted, once, and never comes back', t => onEveryStore(t, async (t, url) => {
  const served = await serve(t, url)
  const { get, read, remove, finished } = served
  const failed = await finished('fails')
  const success = await finished('succeeds', 'a-marker')
  const kept = [await finished('succeeds')]
  await waitFor('their records', async () => (await get<ExecutionPage>('/executions?status=success')).items.length === 2)
  const { error_group: group } = await read(failed)
  const before = await served.queueApp.monitoring.statistics()

  t.match((await served.removeSilently(success)).json<Problem>(), { status: 400, code: 'REASON_REQUIRED' })
  const shown = await read(success)
  const answer = await remove(success)
  t.strictSame([answer.statusCode, answer.json()], [200, { execution_id: success, task_name: 'job', deleted: true }])
  t.match((await remove(success)).json<Problem>(), { status: 410, code: 'EXECUTION_DELETED' })
  t.equal((await remove(failed)).statusCode, 200)
  t.match((await remove('unknown')).json<Problem>(), { status: 404, code: 'EXECUTION_NOT_FOUND' })

  // A refusal does not wait for its audit entry.
  const entries = await waitFor('all entries', async () => {
    const { items } = await get<AuditPage>('/audit?action=executions:delete')
    return items.length === 5 && items
  })
  const [ofFailed, first] = entries.filter(({ outcome }) => outcome === 'done')
  t.match(first, { outcome: 'done', reason: 'personal data', resource: { execution_id: success }, after: { deleted: true } })
  t.strictSame(first?.before, { ...shown, retried_by: [] }, 'enough to undo it by hand')
  t.match(ofFailed, { before: { args: ['fails'], error: { message: 'no connection' } } })
  const refused = entries.filter(({ outcome }) => outcome === 'refused').sort((one, other) => one.status! - other.status!)
  t.match(refused, [{ status: 400, before: null }, { status: 404, before: null }, { status: 410, before: null }])

  const assertGone = async ({ get, read, retry, queueApp }: typeof served): Promise<void> => {
    for (const id of [failed, success]) t.match(await read(id), { status: 410, code: 'EXECUTION_DELETED' })
    t.match((await retry(failed)).json<Problem>(), { status: 410, code: 'EXECUTION_DELETED' })
    t.strictSame((await get<ExecutionPage>('/executions')).items.map(each => each.execution_id), kept)
    t.strictSame((await get<ExecutionPage>('/executions?search=a-marker')).items, [])
    t.match((await get<FailureGroupPage>(`/failures?error_group=${group}`)).items, [{ count: 1, last_execution_id: failed }])
    t.strictSame((await get<ExecutionPage>(`/executions?error_group=${group}`)).items, [])
    const { executions, history } = await queueApp.monitoring.statistics()
    t.strictSame(executions, { ...before.executions, success: before.executions.success + kept.length - 1 }, 'counts stay')
    t.match(history, { success: { count: kept.length }, failed: { count: 0 }, prunedBefore: null })
  }
  await assertGone(served)
  await served.end()
  // A process first compares the history with the broker.
  const restarted = await serve(t, url)
  kept.unshift(await restarted.finished('succeeds'))
  await waitFor('its record', async () => (await restarted.get<ExecutionPage>('/executions?status=success')).items.length === 2)
  await assertGone(restarted)
}))

t.test('pending and running executions are not deleted, and deleted ones that just finished count', t => onEveryStore(t, async (t, url) => {
  const served = await serve(t, url)
  const { queueApp, read, remove, release } = served
  const running = await queueApp.enqueue('job', ['runs'])
  await waitFor('its start', async () => (await read(running)).state === 'active')
  const waiting = await queueApp.enqueue('job', ['succeeds'])
  const delayed = await queueApp.enqueue('job', ['succeeds'], { delayMs: 3_600_000 })
  for (const [id, state] of [[running, 'active'], [waiting, 'waiting'], [delayed, 'delayed']] as const)
    t.match((await remove(id)).json<Problem>(), { status: 409, code: 'NOT_DELETABLE', detail: new RegExp(`is ${state}.*Cancel it`) })

  release()
  const ids = await Promise.all(Array.from({ length: 20 }, () => queueApp.enqueue('job', ['succeeds'])))
  // Deleted as soon as they have finished: the broker has them, but perhaps the history not yet.
  await Promise.all([running, waiting, ...ids].map(id => waitFor(`the end of ${id}`, async () => (await remove(id)).statusCode === 200)))
  await waitFor('all counts', async () => (await queueApp.monitoring.statistics()).executions.success === 22)
  t.match((await queueApp.monitoring.statistics()).history, { success: { count: 0 } })
  await queueApp.operations.cancelExecution(delayed)
  t.equal((await remove(delayed)).statusCode, 200)
  t.match(await read(delayed), { status: 410, code: 'EXECUTION_DELETED' })
}))

t.test('an execution whose retry was deleted cannot be retried again, because its outcome would not be visible', t =>
  onEveryStore(t, async (t, url) => {
    const { retry, read, remove, finished } = await serve(t, url)
    const original = await finished('fails')
    const { execution_id: id } = (await retry(original)).json<{ execution_id: string }>()
    await waitFor('the end of the retry', async () => (await read(id)).finished_at !== null)
    t.equal((await remove(id)).statusCode, 200)
    t.match((await retry(original)).json<Problem>(), { status: 409, code: 'ALREADY_RETRIED', execution_id: id })
    t.match(await read(original), { status: 'failed', retried_by: [] })
  }))

for (const [kind, urlOf, dump] of [['Redis', redisUrl, dumpRedis], ['PostgreSQL', postgresUrl, dumpPostgres]] as const) {
  t.test(`a deleted execution leaves nothing behind on ${kind}`, async t => {
    const url = await urlOf(t)
    const { queueApp, finished } = await serve(t, url)
    const id = await finished('fails', `a-marker ${'x'.repeat(2_000)}`)
    await waitFor('its record', async () => (await queueApp.monitoring.statistics()).history.failed.count === 1)
    t.match(await dump(url), /a-marker/)
    await queueApp.operations.deleteExecution(id)
    t.notMatch(await dump(url), /a-marker/)
  })
}
