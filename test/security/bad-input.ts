import { readFile } from 'node:fs/promises'
import fastify, { type InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { createTaskDashboardError } from '../../lib/errors.ts'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import type { Problem } from '../../schemas/problem.ts'
import type { Schedule } from '../../schemas/schedule.ts'
import type { ExecutionDetail } from '../../schemas/execution.ts'
import { askPatiently } from '../support/ask-patiently.ts'
import { waitFor } from '../support/wait-for.ts'

/** Text that has broken similar dashboards. */
const HOSTILE: Record<string, string> = {
  '10,000 characters': 'x'.repeat(10_000),
  'a closing script tag': '</script><script>alert(1)</script>',
  'a path upwards': '../../etc/passwd',
  NUL: 'a\0b',
  'an unpaired surrogate': 'a\ud800b',
  emoji: '👩‍💻🏳️‍🌈',
  'right to left': '\u202eabc',
  'a quote and SQL': '\'; DROP TABLE executions; --',
  'a glob and a hash tag': '{x}*?[a]',
  'a prototype': '__proto__'
}

const MOUNTS = { open: '/open', guarded: '/guarded', local: '/local', pruned: '/pruned', reused: '/reused', limited: '/limited' }

/** Produces every documented 4xx over HTTP, and checks on real datastores that hostile text is either refused or kept exactly. */
export async function testBadInput(t: Test, url: string): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker: url })
  queueApp.task('echo', async (...args: unknown[]) => args)
  queueApp.task('fail', async () => { throw new Error('x') })
  // A schedule of a task that is not registered, so it cannot be run now.
  const scheduleId = await queueApp.createScheduler().scheduleCron('nobody', '0 0 1 1 *')
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: MOUNTS.open, queueApp, access: 'host' })
  await server.register(dashboardPlugin, { prefix: MOUNTS.guarded, queueApp, auth: { username: 'ana', password: 's3cret' } })
  await server.register(dashboardPlugin, { prefix: MOUNTS.local, queueApp })
  await server.register(dashboardPlugin, {
    prefix: MOUNTS.limited, queueApp, auth: { username: 'ana', password: 's3cret' }, rateLimit: { failedSignInsPerMinute: 1 }
  })
  await server.register(dashboardPlugin, {
    prefix: MOUNTS.pruned, access: 'host', queueApp: insteadOf(queueApp, {
      monitoring: { removalOf: async () => ({ prunedBefore: 0 }) },
      operations: {
        retryExecution: refusePruned, cancelExecution: refusePruned, updateExecution: refusePruned, deleteExecution: refusePruned
      }
    })
  })
  await server.register(dashboardPlugin, {
    prefix: MOUNTS.reused, access: 'host',
    queueApp: insteadOf(queueApp, { operations: { answers: { claim: async () => ({ state: 'other' }) } } })
  })
  const ask = askPatiently(server)
  const finishedId = await queueApp.enqueue('echo', [])
  const unwanted = await queueApp.enqueue('echo', [], { delayMs: 3_600_000 })
  const { operationId: bulkId } = await queueApp.operations.bulk.create({
    action: 'cancel', filter: { executionIds: [unwanted] }, taskNames: ['echo'], tasksLeftOut: 0
  })
  const pendingId = await queueApp.enqueue('echo', [], { delayMs: 3_600_000 })
  await waitFor('an execution to finish', async () =>
    (await ask({ url: `${MOUNTS.open}/api/executions/${finishedId}` })).json<ExecutionDetail>().status === 'success')
  await waitFor('the bulk operation to be done', async () => (await queueApp.monitoring.bulk.find(bulkId))?.state === 'done')
  await queueApp.enqueue('fail', [])
  const { errorGroup } = await waitFor('a failure group', async () => (await queueApp.monitoring.failureGroups({})).groups[0] ?? false)
  await ask({ url: `${MOUNTS.limited}/api/stats`, headers: { authorization: 'Basic d3Jvbmc6d3Jvbmc=' } })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })

  await t.test('every documented 4xx can be produced', async t => {
    const document = JSON.parse(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as OpenApi
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { operationId, responses }] of Object.entries(operations)) {
        for (const status of Object.keys(responses).filter(status => status.startsWith('4'))) {
          const produce = PRODUCERS[status]
          if (!produce) {
            t.fail(`${operationId} documents ${status}, and nothing here produces it`)
            continue
          }
          const answer = await ask(produce(method.toUpperCase() as Method, path, scheduleId, { finishedId, pendingId, bulkId, errorGroup }))
          t.equal(answer.statusCode, Number(status), `${operationId} says ${status}`)
          t.match(answer.headers['content-type'], 'application/problem+json')
          const problem = answer.json<Problem>()
          t.match(problem, { status: Number(status), code: /^[A-Z_]+$/, detail: /\w/, title: /\w/ })
          if (status === '401') t.match(answer.headers['www-authenticate'], /^Basic /)
        }
      }
    }
    const wrongMethod = await ask({ method: 'PATCH', url: `${MOUNTS.open}/api/stats` })
    t.match(wrongMethod, { statusCode: 405, headers: { allow: 'GET, HEAD' } })
  })

  await t.test('a key that changes prototypes is refused', async t => {
    const answer = await ask({
      method: 'POST', url: `${MOUNTS.open}/api/schedules/cron`, headers: { 'content-type': 'application/json' },
      payload: '{"task_name":"echo","cron":"0 0 1 1 *","args":[{"__proto__":{"polluted":true}}]}'
    })
    t.match(answer.json<Problem>(), { status: 400, detail: /__proto__/ })
  })

  for (const [what, text] of Object.entries(HOSTILE)) {
    await t.test(`${what} is refused or kept exactly everywhere`, async t => {
      const encoded = encodeLoosely(text)
      const reads = [
        `/api/tasks/${encoded}`, `/api/tasks/${encoded}/executions`, `/api/executions/${encoded}`, `/api/schedules/${encoded}`,
        ...['task_name', 'schedule_id', 'cursor', 'from', 'status', 'limit', encoded].map(name => `/api/executions?${name}=${encoded}`),
        ...['search', 'task_name', 'cursor', 'enabled_only'].map(name => `/api/schedules?${name}=${encoded}`),
        `/api/schedules/preview?cron=${encoded}`, `/api/schedules/preview?cron=*+*+*+*+*&timezone=${encoded}`, `/${encoded}`,
        `/assets/${encoded}`
      ]
      for (const path of reads) await refusesOrAnswers(t, { url: `${MOUNTS.open}${path}` })
      for (const path of [`/api/schedules/${encoded}/enable`, `/api/schedules/${encoded}/disable`])
        await refusesOrAnswers(t, { method: 'PUT', url: `${MOUNTS.open}${path}` })
      await refusesOrAnswers(t, { method: 'POST', url: `${MOUNTS.open}/api/tasks/${encoded}/run` })
      await refusesOrAnswers(t, { method: 'POST', url: `${MOUNTS.open}/api/executions/${encoded}/retry` })
      await refusesOrAnswers(t, { method: 'DELETE', url: `${MOUNTS.open}/api/schedules/${encoded}` })
      for (const field of ['task_name', 'cron', 'timezone', 'overlap', text]) {
        await refusesOrAnswers(
          t, { method: 'POST', url: `${MOUNTS.open}/api/schedules/cron`, payload: { task_name: 'echo', cron: '0 0 1 1 *', [field]: text } },
          400
        )
      }
      await keepsExactly(t, text.slice(0, 900))
    })
  }

  async function refusesOrAnswers(t: Test, request: InjectOptions, expected?: number): Promise<void> {
    const answer = await ask(request)
    const where = `${request.method ?? 'GET'} ${JSON.stringify(request.url).slice(0, 100)}`
    if (expected) t.equal(answer.statusCode, expected, where)
    else t.ok([200, 400, 404, 414].includes(answer.statusCode), `${where} (${answer.statusCode})`)
    t.notMatch(answer.body, /\n[ \t]+at |node_modules|bullmq|SELECT |WRONGTYPE/, 'nothing internal is revealed')
  }

  /** As description and argument of a schedule, and as arguments and result of an execution in the history. */
  async function keepsExactly(t: Test, text: string): Promise<void> {
    // This key is refused everywhere, because it changes the prototype of any object that careless code copies it to.
    const key = text === '__proto__' ? 'key' : text
    const create = (description: string) => ask({
      method: 'POST', url: `${MOUNTS.open}/api/schedules/cron`, headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ task_name: 'echo', cron: '0 0 1 1 *', description, args: [text, { [key]: text }] })
    })
    // Arguments may be any JSON. A description is text for people.
    const isPrintable = !/[\p{Cc}\p{Cs}]/u.test(text)
    if (!isPrintable) t.match((await create(text)).json<Problem>(), { status: 400, errors: [{ pointer: '/description' }] })
    const description = isPrintable ? text : 'plain'
    const created = await create(description)
    t.equal(created.statusCode, 201, created.body.slice(0, 300))
    const { schedule_id: id } = created.json<Schedule>()
    const read = (await ask({ url: `${MOUNTS.open}/api/schedules/${id}` })).json<Schedule>()
    t.equal(read.description, description)
    t.equal(JSON.stringify(read.args), JSON.stringify([text, { [key]: text }]))
    t.equal((await ask({ method: 'DELETE', url: `${MOUNTS.open}/api/schedules/${id}` })).statusCode, 200)

    const executionId = await queueApp.enqueue('echo', [text, { value: text }])
    const execution = await waitFor('the execution to finish', async () => {
      const answer = await ask({ url: `${MOUNTS.open}/api/executions/${executionId}` })
      return answer.statusCode === 200 && answer.json<ExecutionDetail>().finished_at !== null && answer.json<ExecutionDetail>()
    })
    t.equal(execution.status, 'success', JSON.stringify(execution.error))
    t.equal(JSON.stringify([execution.args, execution.result]), JSON.stringify([[text, { value: text }], [text, { value: text }]]))
  }
}

/**
 * Replaces responses that take long to produce: retention keeps recent executions, and the limit of keys is high. Other tests cover the
 * real responses.
 */
function insteadOf({ monitoring, operations }: QueueApp, instead: {
  readonly monitoring?: Partial<QueueApp['monitoring']>
  readonly operations?: Partial<QueueApp['operations']>
}): Pick<QueueApp, 'monitoring' | 'operations'> {
  return { monitoring: { ...monitoring, ...instead.monitoring }, operations: { ...operations, ...instead.operations } }
}

async function refusePruned(executionId: string): Promise<never> {
  throw createTaskDashboardError('EXECUTION_PRUNED', [executionId, new Date(0).toISOString()])
}

interface OpenApi { paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>> }
interface Ids { readonly finishedId: string; readonly pendingId: string; readonly bulkId: string; readonly errorGroup: string }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The tests for creating and changing a schedule, which take a body. */
function takesBody(method: Method, path: string): boolean {
  return method === 'PATCH' || (method === 'POST' && !path.includes('{'))
}

const PRODUCERS: Record<string, (method: Method, path: string, scheduleId: string, ids: Ids) => InjectOptions> = {
  400: (method, path) =>
    takesBody(method, path)
      ? { ...withBody(method, path), payload: '{"task_name": 7}' }
      : { method, url: `${filled(MOUNTS.open, path)}?nonsense=1` },
  401: (method, path) => ({ method, url: filled(MOUNTS.guarded, path) }),
  403: (method, path) => ({ method, url: filled(MOUNTS.local, path), headers: { 'x-forwarded-for': '10.0.0.1' } }),
  404: (method, path) =>
    takesBody(method, path) ? { ...withBody(method, path), payload: validChange(path) } : { method, url: filled(MOUNTS.open, path) },
  409: (method, path, scheduleId, { finishedId, pendingId, bulkId, errorGroup }) => {
    if (path.startsWith('/api/failures'))
      return { ...withBody(method, path.replace('{group}', errorGroup)), payload: { if_last_seen_at: '2000-01-01T00:00:00Z' } }
    if (method === 'POST' && !path.startsWith('/api/schedules/{id}')) return keyed(MOUNTS.reused, path)
    const executionId = method === 'DELETE' ? pendingId : finishedId
    const id = path.startsWith('/api/bulk') ? bulkId : path.startsWith('/api/executions') ? executionId : scheduleId
    return {
      method,
      url: `${MOUNTS.open}${path.replace('{id}', id)}`,
      headers: { 'content-type': 'application/json', 'if-match': '"stale"' },
      ...(takesBody(method, path) && { payload: validChange(path) })
    }
  },
  410: (method, path) => (
    { ...withBody(method, path), url: filled(MOUNTS.pruned, path), ...(takesBody(method, path) && { payload: validChange(path) }) }
  ),
  413: (method, path) => ({ ...withBody(method, path), payload: JSON.stringify({ task_name: 'echo', args: ['x'.repeat(140_000)] }) }),
  414: (method, path) => ({ method, url: `${filled(MOUNTS.open, path)}?${'x'.repeat(20_000)}=1` }),
  415: (method, path) => ({ ...withBody(method, path), headers: { 'content-type': 'text/plain' }, payload: 'task_name=echo' }),
  429: (method, path) => ({ method, url: filled(MOUNTS.limited, path) })
}

function validChange(path: string): string {
  if (path.startsWith('/api/queues')) return '{"reason":"x"}'
  return path.startsWith('/api/executions') ? '{"priority":1}' : '{"description":"x"}'
}

function keyed(mount: string, path: string): InjectOptions {
  const timing = path.endsWith('/interval') ? { interval_ms: 3_600_000 } : { cron: '0 0 1 1 *' }
  return {
    method: 'POST', url: filled(mount, path), headers: { 'idempotency-key': 'one' },
    ...(takesBody('POST', path) && {
      payload: path === '/api/bulk' ? { action: 'retry', filter: {}, dry_run: true } : { task_name: 'echo', ...timing }
    })
  }
}

function withBody(method: Method, path: string): InjectOptions {
  return { method, url: filled(MOUNTS.open, path), headers: { 'content-type': 'application/json' } }
}

function filled(mount: string, path: string): string {
  return mount + path.replace(/\{\w+\}/g, 'there-is-none')
}

/** Like encodeURIComponent, but an unpaired surrogate becomes the bytes that a careless client sends. */
function encodeLoosely(text: string): string {
  return [...text].map(character => /\p{Cs}/u.test(character) ? '%ED%A0%80' : encodeURIComponent(character)).join('')
}
