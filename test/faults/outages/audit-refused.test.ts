import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { BulkItemPage, BulkOperation } from '../../../schemas/bulk.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Queue } from '../../../schemas/queue.ts'
import { postgresUrl, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { serveDashboard } from '../serve-dashboard.ts'

/** A result backend that can refuse writes while reads go on. */
interface Backend { readonly url: string; refuse(): Promise<unknown>; accept(): Promise<unknown> }

/** Refuses writes because its memory is full. */
async function redisBackend(t: Test): Promise<Backend> {
  const { url } = await startRedis(t)
  const admin = new Redis(url)
  t.teardown(() => admin.disconnect())
  const limit = (bytes: number) => admin.config('SET', 'maxmemory', bytes)
  return { url, refuse: () => limit(1), accept: () => limit(0) }
}

/** Refuses writes because an administrator made it read-only. Open connections are ended, because only new ones notice. */
async function postgresBackend(t: Test): Promise<Backend> {
  const url = await postgresUrl(t)
  const name = new URL(url).pathname.slice(1)
  const admin = new pg.Client(url.replace(/\/[^/]*$/, '/postgres'))
  await admin.connect()
  t.teardown(() => admin.end())
  const set = async (value: 'on' | 'off') => {
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  }
  return { url, refuse: () => set('on'), accept: () => set('off') }
}

const FAILURES = 60

for (const [kind, backendOf] of [['redis', redisBackend], ['postgres', postgresBackend]] as const) {
  t.test(`while the audit log cannot be written on ${kind}, nothing is changed and reads still work`, { timeout: 120_000 }, async t => {
    const backend = await backendOf(t)
    const queueApp = QueueApp.fromUrls({ broker: await redisUrl(t), backend: backend.url, onError() {} })
    const ran: string[] = []
    const state = { isMended: false }
    queueApp.task('flaky', async (what: string) => {
      if (!state.isMended) throw new Error('no')
      ran.push(what)
    }, { concurrency: 20 })
    await queueApp.start()
    const server = await serveDashboard(t, queueApp)
    const read = async <Body>(path: string): Promise<Body> => (await server.inject(`/tasks/api/${path}`)).json<Body>()
    const send = (method: 'POST' | 'PUT', path: string, payload?: object, key?: string) => server.inject({
      method, url: `/tasks/api/${path}`, ...payload && { payload }, headers: key === undefined ? {} : { 'idempotency-key': key }
    })
    const failed = async () => (await read<ExecutionPage>('executions?status=failed&limit=1')).total?.value
    await waitFor('a worker', async () => (await server.inject('/tasks/api/health')).statusCode === 200)
    await queueApp.enqueueMany('flaky', Array.from({ length: FAILURES }, (_, index) => [`item ${index}`]))
    await waitFor('all to fail', async () => await failed() === FAILURES)
    state.isMended = true
    const id = (await read<ExecutionPage>('executions?status=failed&limit=1')).items[0]!.execution_id
    const bulk = { action: 'retry', filter: { status: 'failed' }, dry_run: false, rate: 20 }
    const { operation_id: operationId } = (await send('POST', 'bulk', bulk)).json<BulkOperation>()
    const progress = async () => (await read<BulkOperation>(`bulk/${operationId}`)).progress!
    await waitFor('some retries', async () => (await progress()).done > 0)

    await backend.refuse()
    const writes = {
      run: () => send('POST', 'tasks/flaky/run', { args: ['by hand'] }, 'run'),
      retry: () => send('POST', `executions/${id}/retry`, { args: ['edited'] }, 'retry'),
      pause: () => send('PUT', 'queues/flaky/pause', { reason: 'not recorded' }),
      suspend: () => send('PUT', `bulk/${operationId}/suspend`),
      bulk: () => send('POST', 'bulk', bulk, 'bulk')
    }
    for (const [name, write] of Object.entries(writes)) {
      const answer = await waitFor(`a refusal of ${name}`, async () => {
        const answer = await write()
        return answer.statusCode >= 500 && answer.json<{ code: string }>().code !== 'NO_ANSWER' && answer
      })
      t.match(answer.json(), { status: 503, code: 'BACKEND_UNAVAILABLE', detail: /^The result backend/ }, name)
    }
    t.match((await read<Queue[]>('queues')).map(each => each.pause), [null])
    t.equal(ran.includes('by hand'), false)
    await waitFor('reads to work', async () => await failed() === FAILURES)
    t.ok((await read<AuditPage>('audit')).items.length > 0, 'the log itself can be read')
    const waiting = await waitFor('the operation to wait', async () => {
      const found = await read<BulkOperation>(`bulk/${operationId}`)
      return found.waiting_for !== null && found
    })
    t.match(waiting, { state: 'running', waiting_for: 'result_backend', problem: /The result backend/ })
    const stood = ran.length
    await new Promise(resolve => setTimeout(resolve, 700))
    t.ok(ran.length <= stood + 10, 'it does not continue without being recorded')

    await backend.accept()
    for (const name of ['run', 'retry'] as const) {
      const answer = await waitFor(`a response to ${name}`, async () => {
        const answer = await writes[name]()
        return answer.statusCode < 500 && answer
      })
      t.same((await writes[name]()).json(), answer.json(), 'the same response for the same key')
    }
    await waitFor('the operation to end', async () => (await read<BulkOperation>(`bulk/${operationId}`)).state === 'done')
    const { items } = await read<BulkItemPage>(`bulk/${operationId}/items?limit=200`)
    t.equal(items.length, FAILURES, 'no item is lost')
    t.equal(new Set(items.map(each => each.execution_id)).size, FAILURES)
    await waitFor('all to run', async () => ran.length >= FAILURES + 1)
    await new Promise(resolve => setTimeout(resolve, 300))
    t.equal(ran.length, FAILURES + 1, 'each retry once, and the run by hand once')
    t.equal(new Set(ran).size, ran.length)
  })
}
