import fastify, { type LightMyRequestResponse } from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp, type QueueAppOptions } from '../../../lib/index.ts'
import type { ExecutionDetail, ExecutionPage, ExecutionRetry } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { anyStoreUrl, onEveryStore, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const LARGE = 'x'.repeat(100_000)

interface Served {
  readonly queueApp: QueueApp
  /** The arguments that the handlers got, by the first argument. */
  readonly got: ReadonlyArray<readonly unknown[]>
  fix(): void
  read(executionId: string): Promise<ExecutionDetail>
  /** Whether the history has it. Until then, `read` asks the broker. */
  isRecorded(executionId: string): Promise<boolean>
  retry(executionId: string, body?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>
}

/** A queue app with a task that fails until it is fixed, and its dashboard. */
async function serve(t: Test, url: string, options: Partial<QueueAppOptions> = {}): Promise<Served> {
  const queueApp = QueueApp.fromUrls({ broker: url, ...options })
  const got: Array<readonly unknown[]> = []
  let isFixed = false
  queueApp.task('bill', async (...args: unknown[]) => {
    got.push(args)
    if (!isFixed) throw new Error('no connection')
    return 'paid'
  })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  return {
    queueApp,
    got,
    fix() { isFixed = true },
    read: async executionId => (await server.inject(`/tasks/api/executions/${executionId}`)).json<ExecutionDetail>(),
    isRecorded: async executionId => (await server.inject('/tasks/api/executions?status=failed')).json<ExecutionPage>().items
      .some(execution => execution.execution_id === executionId),
    retry: (executionId, body, headers = {}) => server.inject({
      method: 'POST', url: `/tasks/api/executions/${executionId}/retry`, headers, ...body !== undefined && { payload: body }
    })
  }
}

async function failed({ queueApp, read }: Served, args: readonly unknown[]): Promise<string> {
  const executionId = await queueApp.enqueue('bill', args)
  await waitFor('its failure', async () => (await read(executionId)).status === 'failed')
  return executionId
}

async function succeeded({ read }: Served, executionId: string): Promise<ExecutionDetail> {
  return await waitFor('its success', async () => {
    const execution = await read(executionId)
    return execution.status === 'success' && execution
  })
}

/** A client that repeats its request while a busy machine answers 503. Its key makes that safe. */
async function answered({ retry }: Served, executionId: string, key: string): Promise<LightMyRequestResponse> {
  return await waitFor(`an answer to ${key}`, async () => {
    const answer = await retry(executionId, undefined, { 'idempotency-key': key })
    return answer.statusCode !== 503 && answer.json<Partial<Problem>>().code !== 'IDEMPOTENCY_KEY_IN_PROGRESS' && answer
  })
}

t.test('a failed execution can be retried once', t => onEveryStore(t, async (t, url) => {
  const served = await serve(t, url)
  const original = await failed(served, ['invoice-1', { amount: 3 }])
  served.fix()

  const answers = await Promise.all(Array.from({ length: 100 }, (_, client) => answered(served, original, `client-${client}`)))
  const accepted = answers.filter(answer => answer.statusCode === 202)
  t.equal(accepted.length, 1, 'a hundred at once: one is accepted')
  const { execution_id: retryId, ...rest } = accepted[0]!.json<ExecutionRetry>()
  t.strictSame(rest, { task_name: 'bill', retry_of: original, args: null })
  t.equal(accepted[0]!.headers.location, `../${retryId}`)
  for (const refused of answers.filter(answer => answer.statusCode !== 202))
    t.match(refused.json<Problem>(), { status: 409, code: 'ALREADY_RETRIED', execution_id: retryId }, 'the others learn its id')

  const retry = await succeeded(served, retryId)
  t.match(retry, { task_name: 'bill', retry_of: original, args: ['invoice-1', { amount: 3 }], result: 'paid' })
  t.equal(served.got.length, 2, 'the handler ran twice: the failure and its retry')
  t.match((await served.read(original)).retried_by, [{ execution_id: retryId, status: 'success' }])
  t.match((await served.retry(original)).json<Problem>(), { code: 'ALREADY_RETRIED', execution_id: retryId }, 'later too')
  t.match((await served.retry(retryId)).json<Problem>(), { status: 409, code: 'NOT_RETRYABLE', detail: /completed/ })
}))

t.test('a retry is listed on its original before it has finished', t => onEveryStore(t, async (t, url) => {
  const served = await serve(t, url)
  const original = await failed(served, ['invoice-2'])
  const { execution_id: retryId } = (await served.retry(original)).json<ExecutionRetry>()
  t.equal((await served.read(original)).retried_by[0]?.execution_id, retryId)
  await waitFor('the retry to fail', async () => (await served.read(retryId)).status === 'failed')
  const again = await served.retry(retryId)
  t.equal(again.statusCode, 202, 'a retry that failed can be retried in turn')
  t.not(again.json<ExecutionRetry>().execution_id, retryId)
}))

t.test('a retry runs with the arguments in the request', async t => {
  const served = await serve(t, await anyStoreUrl(t))
  const original = await failed(served, ['invoice-3'])
  served.fix()
  t.match((await served.retry(original, { args: ['[redacted]'] })).json<Problem>(), {
    status: 400, code: 'INVALID_INPUT', errors: [{ pointer: '/args', message: /send the real values/ }]
  })
  t.match((await served.retry(original, { args: [LARGE] })).json<Problem>(), { status: 400, errors: [{ pointer: '/args' }] })
  t.equal((await served.retry(original, { argz: [] })).statusCode, 400, 'an unknown field is refused')
  const { execution_id: retryId } = (await served.retry(original, { args: ['invoice-3b'] })).json<ExecutionRetry>()
  t.match(await succeeded(served, retryId), { args: ['invoice-3b'] })
  t.match(await served.read(original), { args: ['invoice-3'] }, 'the original keeps its own')
})

t.test('the response and the audit log have the replaced and the new arguments, without redacted values', t =>
  onEveryStore(t, async (t, url) => {
    const served = await serve(t, url, { redact: { paths: ['args.*.token'] } })
    const original = await failed(served, [{ token: 's3cret', amount: 7 }])
    served.fix()
    const sent = await served.retry(original, { args: [{ token: 'n3w', amount: 8 }] })
    const args = [{ token: '[redacted]', amount: 8 }]
    t.strictSame(sent.json<ExecutionRetry>().args, args)
    await succeeded(served, sent.json<ExecutionRetry>().execution_id)
    t.strictSame(served.got.at(-1), [{ token: 'n3w', amount: 8 }], 'the handler gets what was sent')
    const { entries } = await served.queueApp.monitoring.auditEntries({})
    t.match(entries, [{
      action: 'executions:retry', outcome: 'done', before: { args: [{ token: '[redacted]', amount: 7 }] }, after: { args }
    }])
    t.notMatch(JSON.stringify(entries), /s3cret|n3w/)
  }))

t.test('the same Idempotency-Key gets the same retry', async t => {
  const served = await serve(t, await anyStoreUrl(t))
  const original = await failed(served, ['invoice-4'])
  const first = await served.retry(original, undefined, { 'idempotency-key': 'k-1' })
  const second = await served.retry(original, undefined, { 'idempotency-key': 'k-1' })
  t.equal(second.statusCode, 202)
  t.strictSame(second.json(), first.json())
  t.equal(second.headers['idempotent-replayed'], 'true')
})

t.test('a retry uses arguments that the history cuts or hides, while the broker has them', async t => {
  const served = await serve(t, await anyStoreUrl(t), { redact: { paths: ['args.*.token'] } })
  const large = await failed(served, [LARGE])
  const secret = await failed(served, [{ token: 's3cret', id: 7 }])
  t.match(await served.read(secret), { args: [{ token: '[redacted]', id: 7 }] })
  served.fix()
  for (const original of [large, secret]) {
    const { execution_id: retryId } = (await served.retry(original)).json<ExecutionRetry>()
    await succeeded(served, retryId)
  }
  t.strictSame(served.got.slice(-2), [[LARGE], [{ token: 's3cret', id: 7 }]])
})

t.test('executions that cannot be retried are refused', async t => {
  const served = await serve(t, await anyStoreUrl(t))
  t.match((await served.retry('unknown')).json<Problem>(), { status: 404, code: 'EXECUTION_NOT_FOUND' })
  const later = await served.queueApp.enqueue('bill', ['invoice-5'], { delayMs: 60_000 })
  t.match((await served.retry(later)).json<Problem>(), { status: 409, code: 'NOT_RETRYABLE', detail: /delayed/ })
})

t.test('after the broker lost an execution, its retry needs arguments that the history kept whole', async t => {
  const broker = await redisUrl(t)
  const served = await serve(t, broker, { backend: await anyStoreUrl(t), redact: { paths: ['args.*.token'] } })
  const originals = { whole: await failed(served, ['invoice-6']), hidden: await failed(served, [{ token: 's3cret' }]),
    cut: await failed(served, [LARGE]) }
  for (const original of Object.values(originals)) await waitFor('its record in the history', async () => served.isRecorded(original))
  const redis = new Redis(broker)
  t.teardown(() => { redis.disconnect() })
  for (const key of await redis.keys('*:bill:*')) await redis.del(key)
  served.fix()
  for (const [original, detail] of [[originals.hidden, /hides some of the arguments/], [originals.cut, /Only the beginning/]] as const)
    t.match((await served.retry(original)).json<Problem>(), { status: 409, code: 'ARGUMENTS_NOT_KEPT', detail })
  const sent = (await served.retry(originals.hidden, { args: [{ token: 'new' }] })).json<ExecutionRetry>()
  await succeeded(served, sent.execution_id)
  const { execution_id: retryId } = (await served.retry(originals.whole)).json<ExecutionRetry>()
  t.match(await succeeded(served, retryId), { args: ['invoice-6'] })
})

t.test('a repeated request does not claim the retry of someone else', async t => {
  const served = await serve(t, await anyStoreUrl(t))
  const original = await failed(served, ['invoice-7'])
  served.fix()
  const { operations } = served.queueApp
  const mine = { id: '01a2080a-0000-7000-8000-000000000001', isRepeated: false }
  const made = await operations.retryExecution(original, { args: ['mine'] }, mine)
  const repeated = await operations.retryExecution(original, { args: ['mine'] }, { ...mine, isRepeated: true })
  t.strictSame(repeated, made)
  const other = { id: '01a2080a-0000-7000-8000-000000000002', isRepeated: true }
  const refusal = { code: 'ALREADY_RETRIED', executionId: made.executionId }
  await t.rejects(operations.retryExecution(original, { args: ['other'] }, other), refusal)
})

t.test('a failed execution is shown while the broker is unavailable', async t => {
  const broker = await startRedis(t)
  const served = await serve(t, broker.url, { backend: await anyStoreUrl(t) })
  const original = await failed(served, ['invoice-8'])
  await waitFor('its record in the history', async () => served.isRecorded(original))
  await broker.kill()
  t.match(await served.read(original), { status: 'failed', retried_by: [] })
})
