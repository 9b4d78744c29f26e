import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { Operations } from '../../../lib/queue-app/operations/operations.ts'
import type { Schedule } from '../../../schemas/schedule.ts'
import { embeddedUrl, postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { startSlowProxy } from '../../support/network/slow-proxy.ts'
import { waitFor } from '../../support/wait-for.ts'
import { serveDashboard } from '../serve-dashboard.ts'

const BODY = { task_name: 'report', cron: '0 6 1 1 *' }
const READS = [
  '/api/health', '/api/stats', '/api/tasks', '/api/executions', '/api/schedules', '/api/failures', '/api/timeseries',
  '/api/schedules/agenda'
]

/** Nothing was done, or an earlier attempt still holds the key. Each of these codes allows a retry. */
const ASK_AGAIN: ReadonlySet<string> = new Set(['BROKER_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_PROGRESS'])
/** It may have happened, so only what has the same effect twice is repeated. */
const UNCONFIRMED = 'UNCONFIRMED'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

async function open(t: Test, url: string, change: (operations: Operations) => Partial<Operations> = () => ({})) {
  const queueApp = QueueApp.fromUrls({ broker: url, stopGraceMs: 1000, onError() {} })
  queueApp.task('report', async () => 'done')
  await queueApp.start()
  const server = await serveDashboard(t, queueApp, {
    monitoring: queueApp.monitoring, operations: { ...queueApp.operations, ...change(queueApp.operations) }
  })
  const ask = (method: Method, path: string, payload?: object, key?: string, version?: string) => server.inject({
    method, url: `/tasks${path}`, ...(payload && { payload }),
    headers: { ...(key && { 'idempotency-key': key }), ...(version && { 'if-match': version }) }
  })
  const listed = async () =>
    (await waitFor('the list', async () => {
      const answer = await ask(
        'GET', '/api/schedules'
      )
      return answer.statusCode === 200 && answer
    })).json<Schedule[]>()
  return { ask, listed }
}

for (const [kind, urlOf] of [['redis', redisUrl], ['postgres', postgresUrl]] as const) {
  void t.test(`with round trips of half a second every response to a write is true, on ${kind}`, { timeout: 240_000 }, async t => {
    const proxy = await startSlowProxy(t, await urlOf(t))
    const { ask, listed } = await open(t, proxy.url)
    const { ask: askOther } = await open(t, proxy.url)
    proxy.roundTripMs = 500

    // With few connections a write may find none in time, and then it has not happened. The final list proves that.
    const writeBy = (by: typeof ask) => (
      ...request: Parameters<typeof ask>
    ) => waitFor(`${request[0]} ${request[1]} to be answered`, async () => {
      const answer = await by(...request)
      const code = answer.statusCode >= 400 ? answer.json<{ code: string }>().code : ''
      return ASK_AGAIN.has(code) || code === UNCONFIRMED && request[0] === 'PUT' ? null : answer
    })
    const [write, writeOther] = [writeBy(ask), writeBy(askOther)]
    const key = randomUUID()
    const created = await write('POST', '/api/schedules/cron', BODY, key)
    t.equal(created.statusCode, 201, created.body)
    const id = created.json<Schedule>().schedule_id
    const again = await write('POST', '/api/schedules/cron', BODY, key)
    t.equal(again.body, created.body)
    const other = await write('POST', '/api/schedules/interval', { task_name: 'report', interval_ms: 3_600_000 })
    t.equal(other.statusCode, 201, other.body)

    const disabled = await write('PUT', `/api/schedules/${id}/disable`)
    t.match([disabled.statusCode, disabled.json()], [200, { enabled: false, next_run_at: null }])
    const edited = await write('PATCH', `/api/schedules/${id}`, { cron: '0 7 1 1 *', description: 'edited' })
    t.match([edited.statusCode, edited.json()], [200, { cron: '0 7 1 1 *', description: 'edited', enabled: false }])
    const edit = `/api/schedules/${id}`
    const both = await Promise.all([write('PATCH', edit, { priority: 3 }), writeOther('PATCH', edit, { jitter_ms: 100 })])
    t.same(both.map(({ statusCode }) => statusCode), [200, 200])
    const { version } = both.map(answer => answer.json<Schedule>()).find((
      { priority, jitter_ms: jitterMs }
    ) => priority === 3 && jitterMs === 100) ??
      {}
    t.ok(version, 'the later of two edits keeps the earlier')
    const stale = await Promise.all([
      write('PATCH', edit, { priority: 4 }, undefined, `"${version}"`),
      writeOther('PATCH', edit, { priority: 5 }, undefined, `"${version}"`)
    ])
    t.same(
      stale.map(({ statusCode }) => statusCode).sort(), [200, 409],
      'of two edits based on the same version one is a conflict'
    )
    const kept = stale.find(({ statusCode }) => statusCode === 200)!.json<Schedule>().priority
    const enabled = await write('PUT', `/api/schedules/${id}/enable`)
    t.match([enabled.statusCode, enabled.json()], [200, { enabled: true, next_run_at: String }])
    const run = await write('POST', `/api/schedules/${id}/run`, undefined, randomUUID())
    t.equal(run.statusCode, 202, run.body)
    t.equal((await write('DELETE', `/api/schedules/${other.json<Schedule>().schedule_id}`)).statusCode, 200)
    proxy.roundTripMs = 0
    const left = await listed()
    t.match(left, [{ schedule_id: id, cron: '0 7 1 1 *', enabled: true, priority: kept, jitter_ms: 100 }])
    t.equal(left.length, 1)
    const { execution_id: executionId } = run.json<{ execution_id: string }>()
    await waitFor('the run to end', async () =>
      (await ask('GET', `/api/executions/${executionId}`)).json<{ status?: string }>().status === 'success')
  })

  void t.test(`with round trips of half a second the first reads succeed, on ${kind}`, { timeout: 120_000 }, async t => {
    const proxy = await startSlowProxy(t, await urlOf(t))
    const { ask } = await open(t, proxy.url)
    proxy.roundTripMs = 500
    for (const path of READS) t.equal((await ask('GET', path)).statusCode, 200, path)
  })

  void t.test('a connection that breaks during a write leaves one schedule ' +
    `and a true answer, on ${kind}`, { timeout: 120_000 }, async t => {
    const proxy = await startSlowProxy(t, await urlOf(t))
    const { ask, listed } = await open(t, proxy.url)
    const [key, description] = [randomUUID(), randomUUID()]
    const isBroken = proxy.breakOnce(description)
    const first = await ask('POST', '/api/schedules/cron', { ...BODY, description }, key)
    await isBroken
    if (first.statusCode !== 201) t.match(first.json(), { status: 503, code: 'UNCONFIRMED' })
    const repeated = await waitFor('the repeat to be answered', async () => {
      const answer = await ask('POST', '/api/schedules/cron', { ...BODY, description }, key)
      return answer.statusCode === 201 && answer
    })
    t.match(await listed(), [{ schedule_id: repeated.json<Schedule>().schedule_id, description }])
    t.equal((await listed()).length, 1)
  })
}

for (const [kind, urlOf] of [['redis', redisUrl], ['postgres', postgresUrl], ['embedded', embeddedUrl]] as const) {
  void t.test(`nothing is created twice if a process dies before it saves its response, on ${kind}`, { timeout: 120_000 }, async t => {
    // Simulates that the response is never saved: the key is released instead of expiring.
    const { ask, listed } = await open(t, await urlOf(t), ({ answers }) => ({
      answers: {
        async claim(...request) {
          const claim = await answers.claim(...request)
          return claim.state === 'claimed' && !claim.isRepeated ? { ...claim, save: claim.abandon } : claim
        }
      }
    }))
    const key = randomUUID()
    const ids = new Set<string>()
    for (let attempt = 1; attempt <= 3; attempt++) {
      const answer = await ask('POST', '/api/schedules/cron', BODY, key)
      t.equal(answer.statusCode, 201, answer.body)
      ids.add(answer.json<Schedule>().schedule_id)
    }
    t.equal(ids.size, 1)
    t.same((await listed()).map(each => each.schedule_id), [...ids])

    const runKey = randomUUID()
    const [id] = ids
    const runs = new Set<string>()
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { execution_id: executionId } = (await ask(
        'POST', `/api/schedules/${id}/run`, undefined, runKey
      )).json<{ execution_id: string }>()
      runs.add(executionId)
      await waitFor('it to end', async () =>
        (await ask('GET', `/api/executions/${executionId}`)).json<{ status?: string }>().status === 'success')
    }
    t.equal(runs.size, 1)

    const racing = await Promise.all(Array.from({ length: 5 }, () =>
      ask('POST', '/api/schedules/cron', { ...BODY, description: 'raced' }, 'raced')))
    t.ok(
      racing.every(({ statusCode }) => statusCode === 201 || statusCode === 409), JSON.stringify(racing.map(({ statusCode }) => statusCode))
    )
    t.equal((await listed()).filter(({ description }) => description === 'raced').length, 1, 'also at the same time')
  })
}
