import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import { dashboardPlugin, type DashboardOptions } from '../../../lib/index.ts'
import type { Operations } from '../../../lib/queue-app/operations/operations.ts'
import { canonicalJson } from '../../../lib/dashboard/http/canonical-json.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

const CRON = '/tasks/api/schedules/cron'
const BODY = { task_name: 'email:send', cron: '0 9 * * *', args: [{ a: 1, b: 2 }] }

async function build(
  t: Test, operations: Partial<Operations> = {}, options: Partial<DashboardOptions> = { access: 'host' }
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const queueApp = sampleQueueApp({ operations })
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, ...options })
  return app
}

interface Asked { readonly url?: string; readonly payload?: object | null; readonly headers?: Record<string, string> }

function post(app: FastifyInstance, key: string | undefined, { url = CRON, payload = BODY, headers = {} }: Asked = {}) {
  return app.inject({
    method: 'POST', url, ...(payload && { payload }), headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) }
  })
}

void t.test('the same key and body get the same response, and nothing is done twice', async t => {
  const app = await build(t)
  const first = await post(app, 'k-1')
  t.equal(first.statusCode, 201)
  t.equal(first.headers['idempotent-replayed'], undefined)
  for (const key of ['k-1', '"k-1"']) {
    const again = await post(app, key, { payload: { args: [{ b: 2, a: 1 }], cron: '0 9 * * *', task_name: 'email:send' } })
    t.equal(again.statusCode, 201)
    t.equal(again.body, first.body)
    t.equal(again.headers.location, first.headers.location)
    t.equal(again.headers['content-type'], first.headers['content-type'])
    t.equal(again.headers['idempotent-replayed'], 'true')
    t.match(again.headers, { 'cache-control': 'no-store', 'content-security-policy': /./ })
  }
  t.not(
    (await post(app, 'another key')).json<{ schedule_id: string }>().schedule_id, first.json<{ schedule_id: string }>().schedule_id,
    'another key is another request'
  )
  t.not(
    (await post(app, undefined)).json<{ schedule_id: string }>().schedule_id, first.json<{ schedule_id: string }>().schedule_id,
    'a request without a key, too'
  )
})

void t.test('a repeated invalid request gets the same response, but after a failure of the server it runs again', async t => {
  let isAway = true
  const { createSchedule } = sampleQueueApp().operations
  const operations: unknown[] = []
  const app = await build(t, {
    async createSchedule(input, operation) {
      operations.push(operation)
      if (isAway) throw createTaskDashboardError('UNCONFIRMED')
      return createSchedule(input, operation)
    }
  })
  const refused = await post(app, 'bad', { payload: { ...BODY, task_name: 'nobody' } })
  t.equal(refused.statusCode, 503)
  t.match((await post(app, 'unclear')).json(), { status: 503, code: 'UNCONFIRMED' })
  isAway = false
  t.equal((await post(app, 'unclear')).statusCode, 201, 'it runs again')
  const [, first, second] = operations as Array<{ id: string; isRepeated: boolean }>
  t.match(first, { isRepeated: false })
  t.same(second, { id: first!.id, isRepeated: true }, 'under the same id')
  const unknown = await post(app, 'bad', { payload: { ...BODY, task_name: 'nobody' } })
  t.match(unknown.json(), { status: 400, code: 'TASK_NOT_REGISTERED' })
  const again = await post(app, 'bad', { payload: { ...BODY, task_name: 'nobody' } })
  t.equal(again.body, unknown.body)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.match(again.headers['content-type'], /^application\/problem\+json/)
  t.equal(operations.length, 4)
})

void t.test('another body, address or caller with the same key gets 409', async t => {
  const app = await build(t)
  const headers = { authorization: 'Bearer one' }
  t.equal((await post(app, 'k', { headers })).statusCode, 201)
  for (const [what, other] of [
    ['another body', { headers, payload: { ...BODY, cron: '1 9 * * *' } }],
    ['another address', { headers, url: '/tasks/api/schedules/s-1/run', payload: null }],
    ['another caller', { headers: { authorization: 'Bearer two' } }],
    ['a caller without credentials', {}]
  ] as const) t.match((await post(app, 'k', other)).json(), { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' }, what)
  t.equal((await post(app, 'k', { headers })).headers['idempotent-replayed'], 'true')
})

void t.test("callers that the host distinguishes never get each other's responses, whichever header identifies them", async t => {
  for (const [name, ana, ben] of [
    ['authorization', 'Bearer ana', 'Bearer ben'], ['x-forwarded-user', 'ana', 'ben'],
    ['x-auth-request-email', 'ana@a.example', 'ben@a.example'],
    ['tailscale-user-login', 'ana', 'ben'], ['cf-access-authenticated-user-email', 'ana@a.example', 'ben@a.example']
  ] as const) {
    const app = await build(t, {}, { authorize: () => true })
    const first = await post(app, 'k', { headers: { [name]: ana } })
    t.equal(first.statusCode, 201, name)
    for (const headers of [{ [name]: ben }, {}])
      t.match((await post(app, 'k', { headers })).json(), { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' }, `${name}: another caller`)
    t.equal((await post(app, 'k', { headers: { [name]: ana } })).headers['idempotent-replayed'], 'true', `${name}: the same`)
  }
})

void t.test('a caller whose cookies change between requests remains the same caller', async t => {
  const app = await build(t, {}, { authorize: () => true })
  t.equal((await post(app, 'k', { headers: { cookie: 'session=sealed-1; _ga=1' } })).statusCode, 201)
  t.equal((await post(app, 'k', { headers: { cookie: 'session=sealed-2; _ga=2' } })).headers['idempotent-replayed'], 'true')
})

void t.test('keys of different users are separate', async t => {
  const { answers } = sampleQueueApp().operations
  const login = (username: string) => ({ authorization: `Basic ${Buffer.from(`${username}:secret`).toString('base64')}` })
  const [ana, ben] = [
    await build(t, { answers }, { auth: { username: 'ana', password: 'secret' } }),
    await build(t, { answers }, { auth: { username: 'ben', password: 'secret' } })
  ]
  const first = await post(ana, 'k', { headers: login('ana') })
  const other = await post(ben, 'k', { headers: login('ben') })
  t.same([first.statusCode, other.statusCode], [201, 201])
  t.equal(other.headers['idempotent-replayed'], undefined)
  t.equal((await post(ana, 'k')).statusCode, 401, 'no one gets an answer without signing in')
})

void t.test('of two concurrent requests one runs, and the other gets 409 with Retry-After', async t => {
  const { createSchedule } = sampleQueueApp().operations
  let calls = 0
  let begun = () => {}
  let goOn = () => {}
  const isBegun = new Promise<void>(resolve => { begun = resolve })
  const mayGoOn = new Promise<void>(resolve => { goOn = resolve })
  const app = await build(t, {
    async createSchedule(input, operation) {
      calls++
      begun()
      await mayGoOn
      return createSchedule(input, operation)
    }
  })
  const first = post(app, 'k')
  await isBegun
  const second = await post(app, 'k')
  t.match(second.json(), { status: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' })
  t.match(second.headers['retry-after'], /^\d+$/)
  goOn()
  t.equal((await first).statusCode, 201)
  t.equal((await post(app, 'k')).body, (await first).body)
  t.equal(calls, 1)
})

void t.test('a key is 1 to 200 printable characters', async t => {
  const app = await build(t)
  for (const key of ['x', 'a b', '~'.repeat(200), `"${'q'.repeat(200)}"`]) t.equal((await post(app, key)).statusCode, 201, key)
  for (const key of ['', '""', 'é', 'a\tb', 'x'.repeat(201), `"${'q'.repeat(201)}"`, 'x'.repeat(5000)]) {
    t.match((await post(app, key)).json(), { status: 400, code: 'INVALID_INPUT', detail: /idempotency-key/ }, JSON.stringify(key))
  }
})

void t.test('a request refused by validation does not use up its key', async t => {
  const app = await build(t)
  t.equal((await post(app, 'k', { payload: { ...BODY, cron: 7 } })).statusCode, 400)
  t.equal((await post(app, 'k')).statusCode, 201)
})

void t.test('429 is returned without doing anything when no more keys can be kept', async t => {
  let calls = 0
  const app = await build(t, {
    answers: { claim: async () => ({ state: 'full' }) },
    createSchedule: () => { calls++; throw new Error('not to be asked') }
  })
  t.match((await post(app, 'k')).json(), { status: 429, code: 'TOO_MANY_IDEMPOTENCY_KEYS' })
  const away = await build(t, { answers: { claim: async () => { throw createTaskDashboardError('BROKER_UNAVAILABLE') } } })
  t.match((await post(away, 'k')).json(), { status: 503, code: 'BROKER_UNAVAILABLE' })
  t.equal(calls, 0)
})

void t.test('every POST accepts a key, and the OpenAPI document says so', async t => {
  const app = await build(t)
  const document = (await app.inject('/tasks/api/openapi.json')).json<{
    paths: Record<string, Record<string, { parameters?: Array<{ name: string; in: string }>; responses: object }>>
  }>()
  const posts = Object.entries(document.paths).flatMap(([path, methods]) => methods['post'] ? [[path, methods['post']] as const] : [])
  t.ok(posts.length >= 3)
  for (const [path, { parameters = [], responses }] of posts) {
    t.ok(parameters.some(each => each.in === 'header' && each.name === 'idempotency-key'), path)
    t.ok('409' in responses && '429' in responses, path)
  }
})

void t.test('canonical JSON ignores the order of members', async t => {
  t.equal(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' }), canonicalJson({ a: 'x', b: [{ c: null, d: 1 }] }))
  t.not(canonicalJson([1, 2]), canonicalJson([2, 1]))
})
