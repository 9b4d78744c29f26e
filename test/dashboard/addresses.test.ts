import t from 'tap'
import { queueNameFromTask } from '../../lib/engine/jobs/queue-name.ts'
import type { Operations } from '../../lib/queue-app/operations/operations.ts'
import { MAX_TASK_NAME_LENGTH } from '../../schemas/limits.ts'
import { EXECUTION_IDS, NOW, TASK_NAMES, pageOf, sampleQueueApp, sampleSchedule } from './sample-queue-app.ts'
import { buildDashboard } from './build-dashboard.ts'

void t.test('tasks, schedules and executions are found by any name or id, however it must be encoded', async t => {
  const app = await buildDashboard(t)
  for (const name of TASK_NAMES) {
    t.equal((await app.inject(`/tasks/api/tasks/${encodeURIComponent(name)}`)).json<{ name: string }>().name, name)
    t.equal((await app.inject(`/tasks/api/tasks/${encodeURIComponent(name)}/executions?limit=1`)).statusCode, 200)
  }
  for (const id of EXECUTION_IDS)
    t.equal((await app.inject(`/tasks/api/executions/${encodeURIComponent(id)}`)).json<{ execution_id: string }>().execution_id, id)
  for (const [name, status] of [
    ['%00', 400], ['%ff', 400], ['%ed%a0%80', 400], ['x'.repeat(101), 400], ['x'.repeat(13_000), 414], ['a/b', 404], ['', 404],
    ['%E2%80%AE', 404]
  ] as const) {
    t.equal((await app.inject(`/tasks/api/tasks/${name}`)).statusCode, status, name.slice(0, 20))
  }
  const queue = encodeURIComponent(queueNameFromTask('🦆'.repeat(MAX_TASK_NAME_LENGTH)))
  const paused = await app.inject({ method: 'PUT', url: `/tasks/api/queues/${queue}/pause`, payload: {} })
  t.match(paused.json(), { code: 'QUEUE_NOT_FOUND' }, 'a queue named after the longest name of a task')
})

void t.test('a page links to its own scripts, and not to those of other pages', async t => {
  const app = await buildDashboard(t)
  const scripts = async (page: string): Promise<string[]> =>
    [...(await app.inject(`/tasks${page}`)).body.matchAll(/data-pages="[^"]*"|assets\/(\w+-page|shared)-/g)].map(([, name]) => name ?? 'of pages')
  for (const [page, name] of [
    ['/executions?status=failed', 'executions-page'], ['/schedules', 'schedules-page'], ['/schedules/agenda/', 'agenda-page']
  ] as const)
    t.same(new Set(await scripts(page)), new Set([name, 'shared', 'of pages']), page)
  for (const page of ['/', '/none']) t.same(await scripts(page), [], page)
})

void t.test('an unknown address is 404, and a known one with another method is 405 with Allow', async t => {
  const app = await buildDashboard(t)
  for (const url of [
    '/tasks/api', '/tasks/api/', '/tasks/api/none', '/tasks/api/stats/', '/tasks/api/schedules/', '/tasks/api/stats/x',
    '/tasks/api/schedules/s-1/none', '/tasks/assets/none.css'
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url, headers: { 'content-type': 'text/plain' }, ...(method !== 'GET' && { payload: 'x' }) })
      t.match(answer.json(), { status: 404, code: 'NOT_FOUND', instance: url }, `${method} ${url}`)
      t.match(answer.headers['content-type'], /^application\/problem\+json/)
    }
  }
  const known = [
    ['POST', '/tasks/api/stats', 'GET, HEAD'], ['PUT', '/tasks/api/schedules/s-1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/tasks/api/schedules/s-1/enable', 'PUT'],
    ['OPTIONS', '/tasks/api/tasks/a%2Fb/executions', 'GET, HEAD'], ['DELETE', '/tasks/', 'GET, HEAD'],
    ['POST', '/tasks/schedules', 'GET, HEAD']
  ] as const
  for (const [method, url, allow] of known) {
    const answer = await app.inject({ method, url })
    t.match(answer.json(), { status: 405, code: 'METHOD_NOT_ALLOWED' }, `${method} ${url}`)
    t.equal(String(answer.headers['allow']).split(', ').sort().join(', '), allow)
  }
})

void t.test('request bodies are validated', async t => {
  const app = await buildDashboard(t)
  const post = (payload: string | object | undefined, type = 'application/json', url = '/tasks/api/schedules/cron') =>
    app.inject({ method: 'POST', url, headers: { 'content-type': type }, ...(payload !== undefined && { payload }) })
  const good = { task_name: 'email:send', cron: '* * * * *' }

  await t.test('a valid body creates a schedule, and Location has its address', async t => {
    const answer = await post({ ...good, args: [1, { a: '</script>' }], enabled: false, priority: 2_097_151, description: 'two\nlines 🎉' })
    t.equal(answer.statusCode, 201)
    t.match(answer.json(), { ...good, args: [1, { a: '</script>' }], enabled: false, priority: 2_097_151, description: 'two\nlines 🎉' })
    const location = new URL(String(answer.headers['location']), 'http://localhost/tasks/api/schedules/cron')
    t.equal(
      (await app.inject(location.pathname)).json<{ schedule_id: string }>().schedule_id, answer.json<{ schedule_id: string }>().schedule_id
    )
    t.equal((await post(nested(99))).statusCode, 201)
    t.match(
      (await post({ task_name: '日報', interval_ms: 1000 }, 'application/json', '/tasks/api/schedules/interval')).json(),
      { schedule_type: 'interval', interval_ms: 1000 }
    )
  })

  await t.test('an invalid body is refused with a pointer to each fault', async t => {
    const bad: Array<[string | object | undefined, (string | undefined)?]> = [
      [undefined, ''], ['', ''], ['null', ''], ['[]', ''], ['"x"', ''], ['{', undefined], [nested(101), undefined],
      [nested(30_000), undefined], ['{"__proto__":{"a":1}}', undefined], ['{"a":{"constructor":{"prototype":1}}}', undefined],
      [{ cron: '* * * * *' }, '/task_name'], [{ ...good, extra: 1 }, '/extra'], [{ ...good, 'a/b~c': 1 }, '/a~1b~0c'],
      [{ ...good, priority: '1' }, '/priority'],
      [{ ...good, priority: 1.5 }, '/priority'], [{ ...good, priority: -1 }, '/priority'], [{ ...good, priority: 2_097_152 }, '/priority'],
      [{ ...good, enabled: 'true' }, '/enabled'],
      [{ ...good, enabled: null }, '/enabled'], [{ ...good, args: {} }, '/args'], [{ ...good, args: Array(101).fill(0) }, '/args'],
      [{ ...good, cron: '* * *' }, '/cron'],
      [{ ...good, cron: 'x'.repeat(257) }, '/cron'], [{ ...good, task_name: '' }, '/task_name'],
      [{ ...good, task_name: 'none' }, '/task_name'],
      [{ ...good, task_name: 'a\0' }, '/task_name'], ['{"task_name":"\\ud800","cron":"* * * * *"}', '/task_name'],
      [{ ...good, task_name: 'x'.repeat(10_000) }, '/task_name'],
      [{ ...good, description: 'x'.repeat(1001) }, '/description'], [{ ...good, timezone: '../UTC' }, '/timezone'],
      [{ ...good, overlap: 'maybe' }, '/overlap'], [{ ...good, interval_ms: 1000 }, '/interval_ms']
    ]
    for (const [payload, pointer] of bad) {
      const answer = await post(payload)
      t.equal(answer.statusCode, 400, `${JSON.stringify(payload)?.slice(0, 80)}: ${answer.body.slice(0, 200)}`)
      if (pointer !== undefined) t.equal(answer.json<{ errors: Array<{ pointer: string }> }>().errors[0]?.pointer, pointer)
    }
    const many = await post(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1])))
    t.equal(many.json<{ errors: object[] }>().errors.length, 20)
  })

  await t.test('another content type is 415, and a body that is too large is 413', async t => {
    for (const type of [
      'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx', 'nonsense'
    ])
      t.equal((await post(JSON.stringify(good), type)).statusCode, 415, type)
    t.equal((await app.inject({ method: 'POST', url: '/tasks/api/schedules/cron', payload: Buffer.from('{}') })).statusCode, 415)
    t.equal((await post(JSON.stringify({ ...good, description: 'x'.repeat(131_072) }))).statusCode, 413)
    t.equal((await post(JSON.stringify(good), 'application/json; charset=utf-8')).statusCode, 201)
  })

  await t.test('a route without a body accepts an empty or JSON body and ignores it', async t => {
    const url = '/tasks/api/schedules/s-1/disable'
    for (const payload of ['', '{}', '{"enabled":true}']) {
      t.match(
        (await app.inject({ method: 'PUT', url, payload, headers: { 'content-type': 'application/json' } })).json(), { enabled: false }
      )
    }
    t.equal((await app.inject({ method: 'PUT', url })).statusCode, 200)
    t.equal((await app.inject({ method: 'PUT', url, payload: 'x', headers: { 'content-type': 'text/plain' } })).statusCode, 415)
  })
})

void t.test('a schedule can be edited and run, and its runs listed, at its address', async t => {
  const changes: object[] = []
  const sample = sampleQueueApp().operations
  const updateSchedule: Operations['updateSchedule'] = (
    id, fields, options
  ) => {
    changes.push([fields, options])
    return sample.updateSchedule(
      id, fields, options
    )
  }
  const app = await buildDashboard(t, { auth: { username: 'ana', password: 'x' } }, { operations: { updateSchedule } })
  const headers = { authorization: `Basic ${btoa('ana:x')}` }
  const url = '/tasks/api/schedules/s-1'
  const patch = (payload: object, more: Record<string, string> = {}) =>
    app.inject({ method: 'PATCH', url, headers: { ...headers, ...more }, payload })

  const read = await app.inject({ url, headers })
  t.match(read.json(), {
    version: 'v.1', wins: 'live', task_registered: true, overdue: false, catch_up: 'none',
    drift: { fields: [{ field: 'jitter_ms', code: 5, live: 0, by: 'ana', since: /Z$/ }] }
  })
  const answer = await patch(
    { cron: '1 2 * * *', start_at: '2026-11-20T10:00:00+01:00', end_at: null }, { 'if-match': String(read.headers['etag']) }
  )
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['etag'], `"${answer.json<{ version: string }>().version}"`)
  t.strictSame(
    changes[0], [{ cron: '1 2 * * *', startAt: NOW, endAt: null }, { by: 'ana', ifVersion: 'v.1' }], 'only the sent fields, no defaults'
  )
  for (const stale of ['"v.1"', 'W/"v.1"', 'W/"v.1~abc"', 'v.1', '""'])
    t.match((await patch({ priority: 1 }, { 'if-match': stale })).json(), { status: 409, code: 'CONFLICT' }, stale)
  t.equal((await patch({ priority: 1 }, { 'if-match': '*' })).statusCode, 200)
  t.equal((await patch({ priority: 1 }, { 'if-match': String((await patch({ priority: 2 })).headers['etag']) })).statusCode, 200)

  const bad: Array<[object, string]> = [
    [{}, ''], [{ task_name: 'email:send' }, '/task_name'], [{ schedule_id: 'x' }, '/schedule_id'], [{ cron: '' }, '/cron'],
    [{ cron: '* *' }, '/cron'], [{ cron: null }, '/cron'], [{ interval_ms: 999 }, '/interval_ms'],
    [{ interval_ms: 31_536_000_001 }, '/interval_ms'], [{ interval_ms: 1000.5 }, '/interval_ms'], [{ timezone: '' }, '/timezone'],
    [{ description: 'x'.repeat(1001) }, '/description'], [{ args: {} }, '/args'],
    [{ args: Array(101).fill(0) }, '/args'], [{ enabled: 'yes' }, '/enabled'], [{ priority: -1 }, '/priority'],
    [{ priority: 2_097_152 }, '/priority'], [{ overlap: 'queue' }, '/overlap'], [{ catch_up: 'all' }, '/catch_up'],
    [{ jitter_ms: -1 }, '/jitter_ms'], [{ jitter_ms: 3_600_001 }, '/jitter_ms'], [{ start_at: 'tomorrow' }, '/start_at'],
    [{ end_at: 5 }, '/end_at'], [{ end_at: '2026-11-20T23:59:60Z' }, '/end_at'], [{ wins: 'me' }, '/wins']
  ]
  for (const [payload, pointer] of bad) {
    const refused = await patch(payload)
    t.equal(refused.statusCode, 400, `${JSON.stringify(payload).slice(0, 60)} ${refused.body.slice(0, 200)}`)
    t.equal(refused.json<{ errors: Array<{ pointer: string }> }>().errors[0]?.pointer, pointer)
  }
  for (const [name, value] of [['jitter_ms', 3_600_001], ['catch_up', 'all'], ['start_at', 'x'], ['wins', 'code']] as const) {
    t.equal(
      (await app.inject({
        method: 'POST', url: '/tasks/api/schedules/cron', headers, payload: { task_name: 'email:send', cron: '* * * * *', [name]: value }
      })).statusCode,
      400, name
    )
  }

  t.match(await app.inject({ method: 'POST', url: `${url}/run`, headers }), { statusCode: 202, body: '{"execution_id":"e-1"}' })
  t.match((await app.inject({ url: `${url}/executions?limit=2`, headers })).json(), { items: [{}, {}], next_cursor: 'next' })
  t.match((await app.inject({ url: `${url}/misses`, headers })).json(), {
    items: [
      { kind: 'late', late_by_ms: 40_000, execution_id: 'e-1' },
      { kind: 'missed', reason: 'no_worker', count: 9, first_due_at: /Z$/, late_by_ms: null }
    ],
    next_cursor: null, total: { value: 2, relation: 'exact' }
  })
  for (const [method, path] of [['POST', 'run'], ['GET', 'executions'], ['GET', 'misses']] as const) {
    t.match(
      (await app.inject({ method, url: `/tasks/api/schedules/none/${path}`, headers })).json(), { status: 404, code: 'SCHEDULE_NOT_FOUND' }
    )
  }
  t.equal((await app.inject({ url: `${url}/executions?schedule_id=s-1`, headers })).statusCode, 400)
  const agenda = (query: string) => app.inject({ url: `/tasks/api/schedules/agenda${query}`, headers })
  t.match((await agenda('?from=2026-11-20T09:30:00Z&to=2026-11-20T11:00:00Z')).json(), {
    from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T11:00:00.000Z', hours: ['2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    totals: [2, 2], schedules: [{ schedule_id: 's-1', counts: [2, 2], total: 4 }]
  })
  t.equal((await agenda('')).json<{ hours: string[] }>().hours.length, 24)
  t.equal((await agenda('?from=2026-11-20T09:00:00Z&to=2026-11-27T09:00:00Z')).json<{ hours: string[] }>().hours.length, 168)
  for (const query of [
    '?from=2026-11-20T09:00:00Z&to=2026-11-27T09:00:00.001Z', '?from=2026-11-20T09:00:00Z&to=2026-11-20T09:00:00Z', '?from=x', '?hours=5'
  ])
    t.equal((await agenda(query)).statusCode, 400, query)
})

void t.test('an invalid query parameter is 400, and the response names it', async t => {
  const app = await buildDashboard(t)
  const bad: Array<[string, (string | undefined)?]> = [
    ['schedules?limit=0', 'limit'], ['schedules?limit=1001', 'limit'], ['schedules?limit=x', 'limit'],
    ['schedules?enabled_only=maybe', 'enabled_only'], ['schedules?enabledonly=true', 'enabledonly'],
    ['schedules?cursor=x'], ['schedules?cursor=W10', undefined], [`schedules?search=${'x'.repeat(201)}`, 'search'],
    ['schedules?search=%00', 'search'], ['schedules?search=a&search=b', 'search'],
    ['executions?status=done', 'status'], ['executions?from=yesterday', 'from'], ['executions?to=2026-11-20T23:59:60Z', 'to'],
    ['executions?cursor=x'], ['stats?x=1', 'x'],
    [`executions?search=${'x'.repeat(513)}`, 'search'], ['executions?search=%00', 'search'], ['executions?search=status:done', 'search'],
    ['executions?min_duration_ms=-1', 'min_duration_ms'],
    ['executions?min_duration_ms=x', 'min_duration_ms'], ['executions?min_duration_ms=31536000001', 'min_duration_ms'],
    ['executions?worker_id=', 'worker_id'],
    [`executions?worker_id=${'x'.repeat(513)}`, 'worker_id'], ['executions?error_group=', 'error_group'],
    [`executions?error_group=${'x'.repeat(513)}`, 'error_group'], ['executions?max_duration_ms=1', 'max_duration_ms'],
    ['search/completions', 'search'], ['search/completions?search=a', 'position'], ['search/completions?search=a&position=-1', 'position'],
    ['search/completions?search=a&position=513', 'position'],
    [`search/completions?search=${'x'.repeat(513)}&position=0`, 'search'], ['search/completions?search=a&position=0&limit=5', 'limit'],
    ['failures?from=yesterday', 'from'], ['failures?limit=201', 'limit'], ['failures?cursor=x'], ['failures?status=failed', 'status'],
    ['failures?task_name=', 'task_name'],
    ['timeseries?metric=cpu', 'metric'], ['timeseries?window=2h', 'window'], ['timeseries?step=2m', 'step'],
    ['timeseries?window=7d&step=1m', 'step'], ['timeseries?window=1h&step=3h', 'step'],
    ['timeseries?task_name=', 'task_name'], ['timeseries?from=2026-11-20T09:00:00Z', 'from'],
    ['schedules/preview'], ['schedules/preview?cron=*+*+*+*+*&interval_ms=1000'], ['schedules/preview?cron=x', 'cron'],
    ['schedules/preview?interval_ms=1', 'interval_ms'], ['schedules/preview?cron=*+*+*+*+*&count=101', 'count']
  ]
  for (const [query, parameter] of bad) {
    const answer = await app.inject(`/tasks/api/${query}`)
    t.equal(answer.statusCode, 400, query.slice(0, 60))
    if (parameter) t.equal(answer.json<{ errors: Array<{ pointer: string }> }>().errors[0]?.pointer, parameter, query.slice(0, 60))
  }
  t.strictSame(
    (await app.inject('/tasks/api/schedules?enabled_only=true')).json<Array<{ enabled: boolean }>>().map(({ enabled }) => enabled), [true]
  )
  t.equal((await app.inject('/tasks/api/schedules/preview?cron=*+*+*+*+*&count=3')).json<{ runs: object[] }>().runs.length, 3)
})

void t.test('a long list of schedules is read completely by following its links', async t => {
  const schedules = Array.from({ length: 25 }, (_, index) =>
    sampleSchedule({
      scheduleId: `s-${String(index).padStart(2, '0')}`, createdAt: NOW + Math.floor(index / 3), taskName: index % 2 ? 'odd & even' : 'even'
    }))
  const app = await buildDashboard(t, {}, { monitoring: { schedules: async query => pageOf(schedules, query) } })
  const seen: string[] = []
  let url = '/tasks/api/schedules?limit=4&task_name=odd+%26+even'
  for (let pages = 0; url && pages < 10; pages++) {
    const answer = await app.inject(url)
    seen.push(...answer.json<Array<{ schedule_id: string }>>().map(({ schedule_id: id }) => id))
    const [, next] = /^<(.*)>; rel="next"$/.exec(String(answer.headers['link'] ?? '')) ?? []
    if (!next) break
    const followed = new URL(next, `http://localhost${url}`)
    url = followed.pathname + followed.search
  }
  t.strictSame(seen, schedules.filter(({ taskName }) => taskName !== 'even').map(({ scheduleId }) => scheduleId))
})

void t.test('schedules ordered by next run come as one page', async t => {
  const schedules = [3, null, 1, 2].map((hour, index) =>
    sampleSchedule({ scheduleId: `s-${index}`, createdAt: NOW + index, nextRunAt: hour === null ? null : NOW + hour * 3_600_000 }))
  const app = await buildDashboard(t, {}, { monitoring: { schedules: async query => pageOf(schedules, query) } })
  const answer = await app.inject('/tasks/api/schedules?order=next_run&limit=2')
  t.strictSame(answer.json<Array<{ schedule_id: string }>>().map(({ schedule_id: id }) => id), ['s-2', 's-3'])
  t.equal(answer.headers['link'], undefined)
  t.match((await app.inject('/tasks/api/schedules?order=next_run&cursor=x')).json(), {
    status: 400, errors: [{ pointer: 'cursor', message: /order=next_run/ }]
  })
  t.equal((await app.inject('/tasks/api/schedules?order=name')).statusCode, 400)
})

function nested(levels: number): string {
  return `{"task_name":"日報","cron":"* * * * *","args":${'['.repeat(levels)}${']'.repeat(levels)}}`
}
