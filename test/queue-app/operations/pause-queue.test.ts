import fastify from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { Queue } from '../../../schemas/queue.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const TASK = 'mail:send'
const QUEUE = 'mail%3asend'

async function serve(t: Test, queueApp: QueueApp, options: object = {}) {
  const server = fastify()
  const access = 'authorize' in options ? {} : { access: 'host' as const }
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, ...access, identify: () => 'ada', ...options })
  t.teardown(() => server.close())
  return {
    read: async <Body>(path: string) => (await server.inject(`/tasks/api/${path}`)).json<Body>(),
    put: (name: string, verb: 'pause' | 'resume', payload?: object, headers: Record<string, string> = {}) => server.inject({
      method: 'PUT', url: `/tasks/api/queues/${encodeURIComponent(name)}/${verb}`, headers, ...payload !== undefined && { payload }
    })
  }
}

/** A queue app that runs the task, and on stores for several processes a second one that runs nothing. */
async function open(t: Test, url: string) {
  const queueApp = QueueApp.fromUrls({ broker: url })
  const started: unknown[] = []
  queueApp.task(TASK, async (what: unknown) => { started.push(what) }, { concurrency: 5 })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  if (url.startsWith('embedded')) return { queueApp, other: queueApp, started }
  const other = QueueApp.fromUrls({ broker: url })
  await other.start()
  t.teardown(() => other.stop())
  return { queueApp, other, started }
}

t.test('a paused queue is shown with who paused it and why, and the worker of another process obeys', t =>
  onEveryStore(t, async (t, url) => {
    const { queueApp, other, started } = await open(t, url)
    const { put, read } = await serve(t, other)
    const here = await serve(t, queueApp)
    const reason = '</script> \u202e\ud800 \' "'
    const answer = await put(TASK, 'pause', { reason })
    t.equal(answer.statusCode, 200, answer.body)
    const paused = answer.json<Queue>()
    t.match(paused, {
      name: QUEUE, task_name: TASK, state: 'paused',
      pause: { since: /Z$/, by: 'ada', reason: reason.replace('\ud800', '\ufffd'), until: null }
    })
    t.same((await here.read<Queue[]>('queues')).find(queue => queue.name === QUEUE)?.pause, paused.pause, 'as the other process shows it')
    t.same((await put(QUEUE, 'pause', { reason })).json<Queue>().pause, paused.pause, 'by the name of the queue; it changes nothing')

    const ids = await Promise.all(['a', 'b', 'c'].map(each => queueApp.enqueue(TASK, [each])))
    await new Promise(resolve => { setTimeout(resolve, 2_000) })
    t.same(started, [], 'nothing starts')
    const page = await read<ExecutionPage>('executions?status=pending')
    t.same([page.total.value, page.items.map(each => each.execution_id).toSorted()], [3, ids.toSorted()])
    t.match((await read<Queue[]>('queues'))[0], { state: 'paused', pending: 3, running: 0 })
    t.match(await read('stats'), { executions: { pending: 3 }, queue_size: 3 })
    t.match(await read(`tasks/${encodeURIComponent(TASK)}`), { executions: { pending: 3 } })
    t.match(await read(`executions/${ids[0]}`), { status: 'pending' })

    t.match((await put(TASK, 'resume')).json(), { state: 'running', pause: null })
    t.match((await put(QUEUE, 'resume')).json(), { state: 'running', pause: null }, 'repeating it changes nothing')
    await waitFor('all to run', async () => started.length === 3, 2_000)

    const { items } = await read<AuditPage>('audit')
    t.match(items.at(-1), {
      action: 'queues:pause', actor: 'ada', outcome: 'done', resource: { task_name: TASK }, before: { state: 'running', pause: null },
      after: { state: 'paused', pause: { by: 'ada' } }
    })
    t.match(items[1], { action: 'queues:resume', before: { state: 'paused' }, after: { state: 'running' } })
    t.same(items.map(({ resource }) => resource.task_name), items.map(() => TASK), 'even if a request named the queue')
    t.equal((await read<AuditPage>(`audit?task_name=${encodeURIComponent(TASK)}`)).items.length, items.length)
  }))

t.test('two concurrent pauses give one pause, and the queue resumes when the pause ends', t => onEveryStore(t, async (t, url) => {
  const { queueApp, other } = await open(t, url)
  const [one, two] = [await serve(t, queueApp), await serve(t, other, { identify: () => 'bo' })]
  const both = await Promise.all([one.put(TASK, 'pause', { reason: 'x' }), two.put(TASK, 'pause', { reason: 'x' })])
  t.same(both.map(each => each.statusCode), [200, 200])
  t.same(both[0].json<Queue>().pause, both[1].json<Queue>().pause, 'one of them is the first')
  const until = new Date(Date.now() + 1_500).toISOString()
  t.match((await two.put(TASK, 'pause', { reason: 'y', until })).json(), { pause: { by: 'bo', reason: 'y', until } })
  const queue = async () => (await one.read<Queue[]>('queues'))[0]!
  t.match(await queue(), { state: 'paused', pause: { by: 'bo', until } })
  await waitFor('it to resume', async () => (await queue()).state === 'running', 8_000)
  t.ok(Date.now() >= Date.parse(until))
}))

t.test('invalid and forbidden pauses are refused, and change nothing', t => onEveryStore(t, async (t, url) => {
  const { queueApp } = await open(t, url)
  const { put, read } = await serve(t, queueApp)
  const dayMs = 86_400_000
  for (const [body, pointer] of [
    [{ reason: 'x'.repeat(501) }, '/reason'], [{ until: new Date(Date.now() - 1_000).toISOString() }, '/until'],
    [{ until: new Date(Date.now() + 31 * dayMs).toISOString() }, '/until'], [{ until: 'tomorrow' }, '/until'], [{ untill: null }, '/untill']
  ] as const) {
    t.match((await put(TASK, 'pause', body)).json<Problem>(), { status: 400, errors: [{ pointer }] }, JSON.stringify(body).slice(0, 60))
  }
  for (const verb of ['pause', 'resume'] as const)
    t.match((await put('nobody', verb)).json<Problem>(), { status: 404, code: 'QUEUE_NOT_FOUND' })
  const readOnly = await serve(t, queueApp, { readOnly: true })
  const strict = await serve(t, queueApp, { requireReason: ['queues:pause'] })
  const narrow = await serve(t, queueApp, {
    authorize: (_request: unknown, action: string, { taskName }: { taskName?: string }) => action !== 'queues:pause' || taskName !== TASK
  })
  t.match((await readOnly.put(TASK, 'pause')).json<Problem>(), { status: 403, code: 'READ_ONLY' })
  t.match((await strict.put(TASK, 'pause')).json<Problem>(), { status: 400, code: 'REASON_REQUIRED' })
  for (const name of [TASK, QUEUE]) t.equal((await narrow.put(name, 'pause')).statusCode, 403, `by ${name}`)
  await waitFor('the refusals to be on record', async () => (
    await read<AuditPage>(`audit?task_name=${encodeURIComponent(TASK)}`)
  ).items.filter(({ action, code }) => action === 'queues:pause' && code === 'FORBIDDEN').length === 2)
  t.match((await read<Queue[]>('queues'))[0], { state: 'running', pause: null })
  t.equal((await strict.put(TASK, 'pause', { reason: 'because' })).statusCode, 200)
}))
