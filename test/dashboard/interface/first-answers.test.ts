import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { NAMED_RANGES } from '../../../lib/dashboard/interface/first-range.ts'
import { planSeries } from '../../../ui/src/format/stats/series-plan.ts'
import { PRESETS } from '../../../ui/src/format/time/time-range.ts'
import { buildDashboard } from '../build-dashboard.ts'
import { NOW, PRUNED_ID } from '../sample-queue-app.ts'
import { sampleWorkers } from '../sample-workers.ts'

const PAGES = [
  '/', '/?range=7d', '/failures', '/failures?range=all', '/failures?task=email%3Asend', '/failures?group=abc', '/executions',
  '/executions?status=failed&execution=e-1', '/executions?range=24h&task=email%3Asend&order=oldest', '/tasks?name=email%3Asend',
  '/schedules?schedule=s-1', '/workers/', '/bulk', '/bulk?operation=b-1&outcome=done'
]

void t.test('the responses embedded in a page equal those of the API', async t => {
  const app = await buildDashboard(t)
  const found = await Promise.all(PAGES.map(async page => {
    const reads = await readsOf(app, page)
    const answers = await Promise.all(Object.keys(reads).map(async address => [address, (await app.inject(`/tasks/${address}`)).json()]))
    t.same(reads, Object.fromEntries(answers), page)
    return [page, Object.keys(reads).length]
  }))
  t.same(Object.fromEntries(found), {
    '/': 7, '/?range=7d': 8, '/failures': 3, '/failures?range=all': 3, '/failures?task=email%3Asend': 2, '/failures?group=abc': 4,
    '/executions': 7, '/executions?status=failed&execution=e-1': 9, '/executions?range=24h&task=email%3Asend&order=oldest': 7,
    '/tasks?name=email%3Asend': 5, '/schedules?schedule=s-1': 4, '/workers/': 1,
    '/bulk': 1, '/bulk?operation=b-1&outcome=done': 2
  })
})

void t.test('a page embeds nothing for unknown pages and resources, invalid or long names, searches and large responses', async t => {
  const app = await buildDashboard(t)
  for (const address of [
    '/nowhere', '/tasks', '/schedules', '/schedules/agenda', '/tasks?name=%00', `/tasks?name=${'x'.repeat(2_000)}`, '/failures?group=a%0Ab',
    '/executions?search=boom', '/executions?took=5', '/executions?from=2026-11-20', `/executions?search=boom&execution=${PRUNED_ID}`
  ]) t.same(await readsOf(app, address), {}, address)
  t.notOk('api/tasks/none' in await readsOf(app, '/tasks?name=none'))
  t.notOk('api/schedules/none' in await readsOf(app, '/schedules?schedule=none'))

  const [worker] = sampleWorkers(NOW, [])
  const crowded = await buildDashboard(t, {}, { monitoring: { workers: async () => Array.from({ length: 2_000 }, () => worker!) } })
  t.same(await readsOf(crowded, '/workers'), {})
})

void t.test('a page embeds nothing that the policy of the host refuses, for one task or in general', async t => {
  const app = await buildDashboard(t, {
    authorize: (_request, action, { taskName, executionId }) =>
      action !== 'schedules:view' && taskName !== 'email:send' && executionId !== 'e-1'
  })
  t.same(await readsOf(app, '/tasks?name=email%3Asend'), {})
  t.same(Object.keys(await readsOf(app, '/schedules?schedule=s-1')), ['api/executions?schedule_id=s-1&limit=20'])
  t.notOk('api/executions/e-1' in await readsOf(app, '/executions?execution=e-1'))
  t.notOk(Object.keys(await readsOf(app, '/')).some(address => address.startsWith('api/schedules')))

  const closed = await buildDashboard(t, { authorize: () => false })
  t.equal((await closed.inject('/tasks/first-reads.json')).statusCode, 403)

  const refusing = await buildDashboard(t, {
    authorize(_request, _action, { taskName }) {
      if (taskName !== undefined) throw new Error('no policy for tasks')
      return true
    }
  })
  t.same(await readsOf(refusing, '/tasks?name=email%3Asend'), {})
})

void t.test('the dashboard page embeds no reads, so that it can show its statistics first', async t => {
  const { body } = await (await buildDashboard(t)).inject('/tasks/')
  t.match(body, /"stats":\{.*"reads":\{\}\}<\/script>/)
})

void t.test('a page does not wait for slow reads', async t => {
  const app = await buildDashboard(t, {}, { monitoring: { failureGroups: () => new Promise<never>(() => {}) } })
  const addresses = Object.keys(await readsOf(app, '/failures?group=abc'))
  t.same(addresses.filter(address => address.startsWith('api/failures')), [])
  t.ok(addresses.includes('api/executions?status=failed&error_group=abc&limit=100'))
})

void t.test('a page does not wait longer because the process is busy', async t => {
  const app = await buildDashboard(t, {}, { monitoring: { failureGroups: () => new Promise<never>(() => {}) } })
  await readsOf(app, '/failures')
  let isAnswered = false
  let turns = 0
  const answered = readsOf(app, '/failures').then(() => { isAnswered = true })
  // The process is blocked again and again for longer than the page may wait. In between, a response that is ready can be sent.
  while (!isAnswered && turns < 8) {
    const end = performance.now() + 160
    while (performance.now() < end);
    turns++
    await sleep(20)
  }
  await answered
  t.ok(turns <= 3, `${turns} turns`)
})

void t.test('the server knows how the interface draws each range', t => {
  const drawn = PRESETS.map(preset => {
    const { window, step } = planSeries(preset, Date.now())!
    return [preset.text, { ms: preset.ms, window, step }]
  })
  t.same(NAMED_RANGES, Object.fromEntries(drawn))
  t.end()
})

/** The reads for a page. Those of the dashboard page are not embedded, but have their own address. */
async function readsOf(app: FastifyInstance, page: string): Promise<Record<string, unknown>> {
  if (/^\/(\?|$)/.test(page)) return (await app.inject(`/tasks/first-reads.json${page.slice(1)}`)).json()
  const { body } = await app.inject(`/tasks${page}`)
  const [, json] = /<script type="application\/json" id="task-dashboard-answers">(.*?)<\/script>/.exec(body)!
  return (JSON.parse(json!) as { reads: Record<string, unknown> }).reads
}
