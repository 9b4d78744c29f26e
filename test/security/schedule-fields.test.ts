import fastify, { type InjectOptions, type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import type { Problem } from '../../schemas/problem.ts'
import type { Schedule, ScheduleAgenda, SchedulePreview } from '../../schemas/schedule.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

type Fields = Record<string, unknown>
const CRON = { task_name: 'report', cron: '0 9 * * *' }
const INTERVAL = { task_name: 'report', interval_ms: 60_000 }
const DEFAULTS = {
  description: null, args: [], enabled: true, priority: 0, timezone: 'UTC', overlap: 'allow', catch_up: 'none', jitter_ms: 0,
  start_at: null, end_at: null,
  source: 'api', wins: null, drift: null, task_registered: true, overdue: false, last_run_at: null,
  last_status: null, note: null,
  stats: { runs: 0, success: 0, failed: 0, missed: 0, late: 0, avg_duration_ms: null }
}

/** Fields that creating and changing share: accepted values at their limits, and refused values with the pointer to the fault. */
const TAKEN: ReadonlyArray<Fields> = [
  { description: '' }, { description: 'x'.repeat(1000) }, { description: 'two\nlines, 日報 😀' }, { description: null },
  { args: [] }, { args: Array.from({ length: 100 }, () => null) }, { args: [{ a: [0.1, true, 'x'] }, null] },
  { args: ['x'.repeat(65_000)] },
  { enabled: false }, { enabled: true }, { priority: 1 }, { priority: 2_097_151 }, { priority: 0 },
  { timezone: 'Australia/Lord_Howe' }, { timezone: 'UTC' }, { overlap: 'skip' }, { overlap: 'allow' }, { catch_up: 'one' },
  { catch_up: 'none' },
  { jitter_ms: 3_600_000 }, { jitter_ms: 0 }, { start_at: '2040-01-01T00:00:00.000Z', end_at: '2041-01-01T00:00:00.000Z' },
  { start_at: null, end_at: null }
]
const REFUSED: ReadonlyArray<readonly [Fields, pointer: string, code?: string]> = [
  [{ description: 'x'.repeat(1001) }, '/description'], [{ description: 'a\0b' }, '/description'], [{ description: 7 }, '/description'],
  [{ args: Array.from({ length: 101 }, () => 0) }, '/args'], [{ args: { 0: 'x' } }, '/args'], [{ args: null }, '/args'],
  [{ args: ['x'.repeat(65_537)] }, '/args', 'INVALID_SCHEDULE'],
  [{ enabled: 'yes' }, '/enabled'], [{ enabled: 1 }, '/enabled'], [{ enabled: null }, '/enabled'],
  [{ priority: -1 }, '/priority'], [{ priority: 2_097_152 }, '/priority'], [{ priority: 0.5 }, '/priority'],
  [{ priority: '1' }, '/priority'],
  [{ timezone: '' }, '/timezone'], [{ timezone: 'Mars/Phobos' }, '/timezone', 'INVALID_SCHEDULE'],
  [{ timezone: 'x'.repeat(65) }, '/timezone'], [{ timezone: 'Europe Berlin' }, '/timezone'],
  [{ overlap: 'queue' }, '/overlap'], [{ overlap: null }, '/overlap'], [{ catch_up: 'all' }, '/catch_up'],
  [{ jitter_ms: -1 }, '/jitter_ms'], [{ jitter_ms: 3_600_001 }, '/jitter_ms'], [{ jitter_ms: 1.5 }, '/jitter_ms'],
  [{ start_at: 'tomorrow' }, '/start_at'], [{ start_at: 0 }, '/start_at'], [{ end_at: '2040-02-30T00:00:00Z' }, '/end_at'],
  [{ start_at: '2040-01-01T00:00:00Z', end_at: '2040-01-01T00:00:00Z' }, '/end_at', 'INVALID_SCHEDULE'], [{ colour: 'red' }, '/colour']
]
const REFUSED_CRONS: ReadonlyArray<readonly [unknown, code?: string]> = [
  ['0 0 9 * * *', 'INVALID_CRON'], ['@daily', 'INVALID_CRON'], ['0 0 30 2 *', 'INVALID_CRON'], ['61 * * * *', 'INVALID_CRON'], [''],
  ['0 9 * * * '.repeat(26)], [null], [5]
]
const REFUSED_INTERVALS = [999, 31_536_000_001, 1000.5, '1000', null, -1000]

t.test('the HTTP API accepts every valid schedule field and refuses every invalid one', async t => {
  const queueApp = QueueApp.fromUrls({ broker: await redisUrl(t) })
  queueApp.task('report', () => {})
  const codeId = await queueApp.createScheduler().scheduleCron('report', '0 0 1 1 *')
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { queueApp, prefix: '/tasks' })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  type Method = NonNullable<InjectOptions['method']>
  const call = (method: Method, path: string, body?: unknown, headers = {}) => server.inject({
    method, url: `/tasks/api/schedules${path}`,
    ...(body === undefined ? { headers } : { payload: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } })
  })
  const get = (path: string) => call('GET', path)
  const create = (body: Fields) => call('POST', 'cron' in body ? '/cron' : '/interval', body)
  const refused = (t: Test, answer: LightMyRequestResponse, pointer: string, what: unknown, code?: string) => {
    t.match(
      answer.json<Problem>(), { status: 400, ...(code && { code }), errors: [{ pointer, message: /\w/ }] },
      JSON.stringify(what)?.slice(0, 100)
    )
  }
  const faulty = (t: Test, answer: LightMyRequestResponse, status: number, code: string, what: string) =>
    t.match(answer.json<Problem>(), { status, code, detail: /\w/ }, what)

  await t.test('creating a schedule accepts every valid field and refuses every invalid one', async t => {
    for (const [path, body, type] of [
      ['/cron', CRON, { schedule_type: 'cron', cron: CRON.cron, interval_ms: null }],
      ['/interval', INTERVAL, { schedule_type: 'interval', cron: null, interval_ms: 60_000 }]
    ] as const) {
      const answer = await create(body)
      const made = answer.json<Schedule>()
      t.equal(answer.statusCode, 201)
      t.match(made, { ...DEFAULTS, ...type, next_run_at: /Z$/ }, 'omitted fields have defaults')
      t.equal(new URL(String(answer.headers['location']), `http://x/tasks/api/schedules${path}`).pathname, `/tasks/api/schedules/${made.schedule_id}`)
      t.strictSame((await get(`/${made.schedule_id}`)).json(), made)
      t.equal((await call('DELETE', `/${made.schedule_id}`)).statusCode, 200)

      for (const fields of TAKEN) {
        const answer = await create({ ...body, ...fields })
        t.equal(answer.statusCode, 201, answer.body.slice(0, 200))
        t.match(answer.json(), fields)
        if (fields['enabled'] === false) t.equal(answer.json<Schedule>().next_run_at, null)
      }
      for (const [fields, pointer, code] of REFUSED) refused(t, await create({ ...body, ...fields }), pointer, fields, code)
      for (const task of ['', 'x'.repeat(1000), 7, null]) refused(t, await create({ ...body, task_name: task }), '/task_name', task)
      refused(t, await create({ ...body, task_name: 'nobody' }), '/task_name', 'nobody', 'TASK_NOT_REGISTERED')
      for (const missing of Object.keys(body))
        refused(t, await call('POST', path, { ...body, [missing]: undefined }), `/${missing}`, `without ${missing}`)
      for (const whole of [[], 'text', 7, null]) t.equal((await call('POST', path, whole)).statusCode, 400, JSON.stringify(whole))
      refused(
        t, await call('POST', path, { ...body, ...(path === '/cron' ? { interval_ms: 1000 } : { cron: '* * * * *' }) }),
        path === '/cron' ? '/interval_ms' : '/cron', 'the timing of the other type'
      )
    }
    for (const [cron, code] of REFUSED_CRONS) refused(t, await create({ ...CRON, cron }), '/cron', cron, code)
    for (const interval of REFUSED_INTERVALS) refused(t, await create({ ...INTERVAL, interval_ms: interval }), '/interval_ms', interval)
    for (const interval of [1000, 31_536_000_000])
      t.match((await create({ ...INTERVAL, interval_ms: interval })).json(), { interval_ms: interval })
  })

  await t.test('changing a schedule accepts every valid field and refuses every invalid one', async t => {
    const cron = (await create(CRON)).json<Schedule>()
    const interval = (await create(INTERVAL)).json<Schedule>()
    const change = (id: string, body: unknown, headers = {}) => call('PATCH', `/${id}`, body, headers)
    for (const { schedule_id: id } of [cron, interval]) {
      for (const fields of TAKEN) t.match((await change(id, fields)).json(), fields)
      const before = (await get(`/${id}`)).json<Schedule>()
      for (const [fields, pointer, code] of REFUSED) refused(t, await change(id, fields), pointer, fields, code)
      refused(t, await change(id, { wins: 'code' }), '/wins', 'wins', 'INVALID_SCHEDULE')
      refused(t, await change(id, { task_name: 'report' }), '/task_name', 'the task cannot change')
      for (const body of [{}, [], null, 7]) t.equal((await change(id, body)).statusCode, 400, JSON.stringify(body))
      t.strictSame((await get(`/${id}`)).json(), before, 'a refused change changes nothing')
    }
    t.match((await change(cron.schedule_id, { cron: '5 4 * * sun' })).json(), { cron: '5 4 * * sun', human: /Sunday/ })
    t.match((await change(interval.schedule_id, { interval_ms: 1000 })).json(), { interval_ms: 1000 })
    refused(t, await change(cron.schedule_id, { interval_ms: 1000 }), '/interval_ms', 'an interval for a cron', 'INVALID_SCHEDULE')
    refused(t, await change(interval.schedule_id, { cron: '* * * * *' }), '/cron', 'a cron for an interval', 'INVALID_SCHEDULE')
    for (const [value, code] of REFUSED_CRONS) refused(t, await change(cron.schedule_id, { cron: value }), '/cron', value, code)
    for (const value of REFUSED_INTERVALS) refused(t, await change(interval.schedule_id, { interval_ms: value }), '/interval_ms', value)
    for (const wins of ['code', 'live']) t.match((await change(codeId, { wins })).json(), { wins })
    refused(t, await change(codeId, { wins: 'nobody' }), '/wins', 'nobody')
  })

  await t.test('If-Match protects against overwriting changes', async t => {
    const { schedule_id: id, version } = (await create(CRON)).json<Schedule>()
    const change = (priority: number, ifMatch?: string) =>
      call('PATCH', `/${id}`, { priority }, ifMatch === undefined ? {} : { 'if-match': ifMatch })
    const first = await change(1, `"${version}"`)
    t.match(first.json(), { priority: 1 })
    t.equal(first.headers['etag'], `"${first.json<Schedule>().version}"`)
    t.not(first.json<Schedule>().version, version)
    for (const stale of [`"${version}"`, version, `W/"${version}"`, '"nonsense"', ''])
      faulty(t, await change(2, stale), 409, 'CONFLICT', `stale: ${stale}`)
    t.match((await get(`/${id}`)).json(), { priority: 1 }, 'a stale change changes nothing')
    t.match((await change(2, String((await get(`/${id}`)).headers['etag']))).json(), { priority: 2 }, 'the ETag of a GET matches')
    t.match((await change(3, '*')).json(), { priority: 3 })
    t.match((await change(4)).json(), { priority: 4 }, 'without If-Match the last one wins')
    t.equal((await change(5, 'x'.repeat(1001))).statusCode, 400)
    faulty(t, await call('PATCH', '/sch_none', { priority: 1 }, { 'if-match': '*' }), 404, 'SCHEDULE_NOT_FOUND', 'an unknown id')
  })

  await t.test('enabling, disabling, running, listing and deleting a schedule', async t => {
    const { schedule_id: id, next_run_at: next } = (await create(CRON)).json<Schedule>()
    for (const [verb, enabled] of [['disable', false], ['disable', false], ['enable', true], ['enable', true]] as const) {
      const answer = await call('PUT', `/${id}/${verb}`)
      t.match(answer, { statusCode: 200 })
      t.match(answer.json(), { schedule_id: id, enabled, next_run_at: enabled ? next : null }, verb)
    }
    const ran = await call('POST', `/${id}/run`)
    t.equal(ran.statusCode, 202)
    const { execution_id: executionId } = ran.json<{ execution_id: string }>()
    t.match((await get(`/${id}`)).json(), { next_run_at: next }, 'its next run stays')
    // An execution that just finished is no longer running, and is recorded a moment later.
    const page = await waitFor('the execution', async () => {
      const page = (await get(`/${id}/executions`)).json<{ items: unknown[] }>()
      return page.items.length > 0 && page
    })
    t.match(page, { items: [{ execution_id: executionId, schedule_id: id, task_name: 'report' }], next_cursor: null })
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'status=odd', 'from=odd', 'cursor=odd', 'schedule_id=x', 'odd=1'])
      t.equal((await get(`/${id}/executions?${query}`)).statusCode, 400, query)
    t.strictSame((await get(`/${id}/misses`)).json(), { items: [], next_cursor: null, total: { value: 0, relation: 'exact' } })
    t.equal((await get(`/${id}/misses?limit=1`)).statusCode, 400)
    t.strictSame((await call('DELETE', `/${id}`)).json(), { schedule_id: id, deleted: true })
    for (const [method, path] of [
      ['GET', ''], ['DELETE', ''], ['PUT', '/enable'], ['PUT', '/disable'], ['POST', '/run'], ['GET', '/executions'], ['GET', '/misses']
    ] as const) faulty(t, await call(method, `/${id}${path}`), 404, 'SCHEDULE_NOT_FOUND', `${method} ${path} after deletion`)
    faulty(t, await call('PATCH', `/${id}`, { priority: 1 }), 404, 'SCHEDULE_NOT_FOUND', 'PATCH after deletion')
  })

  await t.test('previewing the runs of a schedule', async t => {
    const preview = (query: Record<string, string>) => get(`/preview?${new URLSearchParams(query).toString()}`)
    const skipped = (await preview({
      cron: '15 2 * * *', timezone: 'Australia/Lord_Howe', from: '2026-10-03T12:00:00Z', count: '1'
    })).json()
    t.strictSame(skipped, {
      description: 'At 02:15', timezone: 'Australia/Lord_Howe',
      runs: [{ at: '2026-10-03T15:45:00.000Z', local: '2026-10-04T02:45:00', offset: '+11:00', note: 'dst_gap' }]
    })
    t.match(
      (await preview({ cron: '0 2 * * *', timezone: 'Australia/Lord_Howe', from: '2026-04-04T00:00:00Z' })).json<SchedulePreview>().runs[0],
      { at: '2026-04-04T15:30:00.000Z' }
    )
    t.match(
      (await preview({ interval_ms: '90000', from: '2026-01-01T00:00:00Z', count: '2' })).json<SchedulePreview>().runs.map(({ at }) => at),
      ['2026-01-01T00:01:30.000Z', '2026-01-01T00:03:00.000Z']
    )
    for (const [query, count] of [
      [{ cron: '* * * * *' }, 10], [{ cron: '* * * * *', count: '100' }, 100], [{ cron: '* * * * *', from: '8999-01-01T00:00:00Z' }, 10]
    ] as const) {
      t.equal((await preview(query)).json<SchedulePreview>().runs.length, count, JSON.stringify(query))
    }
    for (const query of [
      {}, { cron: '* * * * *', interval_ms: '1000' }, { cron: '' }, { cron: '* * * *' }, { cron: 'x'.repeat(257) }, { interval_ms: '999' },
      { interval_ms: '31536000001' },
      { cron: '* * * * *', count: '0' }, { cron: '* * * * *', count: '101' }, { cron: '* * * * *', timezone: 'Mars' },
      { cron: '* * * * *', from: 'now' }, { cron: '* * * * *', from: '9999-01-01T00:00:00Z' },
      { cron: '* * * * *', from: '1969-12-31T00:00:00Z' }, { cron: '* * * * *', odd: '1' }
    ]) t.equal((await preview(query as Record<string, string>)).statusCode, 400, JSON.stringify(query))
  })

  await t.test('the agenda counts runs by hour', async t => {
    const { schedule_id: id } = (await create({ ...CRON, cron: '*/30 9 * * *', description: 'Twice at nine' })).json<Schedule>()
    const agenda = (from: string, to: string) => get(`/agenda?${new URLSearchParams({ from, to }).toString()}`)
    const answer = (await agenda('2030-01-01T08:00:00Z', '2030-01-01T11:00:00Z')).json<ScheduleAgenda>()
    t.strictSame(answer.hours, ['2030-01-01T08:00:00.000Z', '2030-01-01T09:00:00.000Z', '2030-01-01T10:00:00.000Z'])
    t.match(answer.schedules.find(({ schedule_id: each }) => each === id), {
      task_name: 'report', description: 'Twice at nine', total: 2, counts: [0, 2, 0]
    })
    t.strictSame(answer.totals, answer.hours.map((_, hour) => answer.schedules.reduce((sum, { counts }) => sum + counts[hour]!, 0)))
    t.equal((await get('/agenda')).json<ScheduleAgenda>().hours.length, 24)
    t.equal((await agenda('2030-01-01T00:00:00Z', '2030-01-08T00:00:00Z')).json<ScheduleAgenda>().hours.length, 168)
    for (const [from, to] of [
      ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'], ['2030-01-02T00:00:00Z', '2030-01-01T00:00:00Z'],
      ['2030-01-01T00:00:00Z', '2030-01-08T00:00:01Z']
    ])
      refused(t, await agenda(from!, to!), 'to', [from, to])
    for (const query of ['from=odd', 'to=odd', 'odd=1', 'limit=1']) t.equal((await get(`/agenda?${query}`)).statusCode, 400, query)
  })
})
