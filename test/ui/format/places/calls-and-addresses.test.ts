import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import { withParameters } from '../../../../ui/src/format/places/address.ts'
import { draftFrom, emptyDraft, toChangesCall, toScheduleCall } from '../../../../ui/src/format/schedules/schedule-draft.ts'
import { anchorOf } from '../../../../ui/src/format/schedules/schedule-timing.ts'
import { shellQuote, toCurl, toFetch, toTypedClient } from '../../../../ui/src/format/places/snippet.ts'

const BASE = 'https://example.org/tasks/'

t.test('a shell reads a quoted text back unchanged', async t => {
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 80 }).filter(text => !text.includes('\0')), 60)
  for (const text of [`it's "$(id)" \`id\` \\ \n 🎉`, ...texts])
    t.equal(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' }), text)
})

t.test('a fetch snippet is JavaScript that makes the same call', async t => {
  for (const text of ['plain', `it's "quoted" \\ and \\"both\\"`, '</script>', '\u2028 line\nbreak']) {
    const snippet = toFetch(`https://example.org/${text}/`, { method: 'POST', path: 'api/schedules/cron', body: { args: [text] } })
    const calls: Array<[string, { method: string; body: string }]> = []
    const fetch = async (...call: [string, { method: string; body: string }]): Promise<unknown> => {
      calls.push(call)
      return { json: async () => ({}) }
    }
    await (runInNewContext(`(async () => { ${snippet} })()`, { fetch }) as Promise<void>)
    t.equal(calls[0]?.[0], `https://example.org/${text}/api/schedules/cron`)
    t.same(JSON.parse(calls[0]![1].body), { args: [text] })
  }
  t.match(toTypedClient(BASE, { method: 'GET', path: 'api/stats' }), "await client.GET('/api/stats')")
  const keyed = { method: 'POST', path: 'api/schedules/cron', key: 'k1', body: {} } as const
  t.match(toCurl(BASE, keyed), "-H 'idempotency-key: k1'")
  t.match(toTypedClient(BASE, keyed), "params: { header: { 'idempotency-key': 'k1' } }")
  t.equal(toCurl(BASE, { method: 'GET', path: 'api/stats' }), "curl 'https://example.org/tasks/api/stats'")
})

t.test('the call of a new schedule has only what differs from the defaults, and exists once every field is valid', async t => {
  const draft = { ...emptyDraft, taskName: 'email:send' }
  t.same(toScheduleCall(draft), {
    call: { method: 'POST', path: 'api/schedules/cron', body: { task_name: 'email:send', cron: '0 9 * * 1-5' } }, problems: {}
  })
  t.same(toScheduleCall({
    ...draft, timing: 'interval', everySeconds: '1.5', args: '["a", 1]', isEnabled: false, priority: '7', overlap: 'skip',
    timezone: 'Asia/Tokyo', description: ' d '
  }).call, {
    method: 'POST', path: 'api/schedules/interval',
    body: {
      task_name: 'email:send', interval_ms: 1500, timezone: 'Asia/Tokyo', description: 'd', args: ['a', 1], enabled: false, priority: 7,
      overlap: 'skip'
    }
  })
  for (const wrong of [
    { taskName: '' }, { cron: '* * *' }, { timing: 'interval', everySeconds: '0.5' }, { args: '{}' }, { args: '[' }, { priority: '-1' },
    { priority: '1.5' }
  ] as const) {
    const { call, problems } = toScheduleCall({ ...draft, ...wrong })
    t.equal(call, null)
    t.equal(Object.keys(problems).length, 1, JSON.stringify(wrong))
  }
})

const schedule: Parameters<typeof draftFrom>[0] = {
  schedule_id: 'sch_1/2', schedule_type: 'cron', task_name: 'report', cron: '0 6 * * *', interval_ms: null, timezone: 'UTC',
  description: 'Report', human: 'at 06:00', args: ['a'],
  enabled: true, priority: 0, overlap: 'allow', catch_up: 'none', jitter_ms: 0, start_at: '2026-11-21T09:00:00.123Z', end_at: null,
  source: 'api', version: 'v.1', task_registered: true,
  overdue: false, wins: null, drift: null, created_at: '', updated_at: '', next_run_at: null, last_run_at: null, last_status: null,
  changes: 'all', note: null,
  stats: { runs: 0, success: 0, failed: 0, missed: 0, late: 0, avg_duration_ms: null }
}

t.test('the call of an edit has only what changed, and the version it was read from', async t => {
  const draft = draftFrom(schedule)
  t.same(toChangesCall(schedule, draft), { call: null, problems: {} }, 'milliseconds that the form cannot show are not a change')
  const { call } = toChangesCall(schedule, {
    ...draft, cron: ' 30 6 * * * ', description: '', args: '', isEnabled: false, catchUp: 'one', jitterSeconds: '1.5', startAt: ''
  })
  t.same(call?.body, { cron: '30 6 * * *', description: null, args: [], enabled: false, catch_up: 'one', jitter_ms: 1500, start_at: null })
  t.equal(call?.path, 'api/schedules/sch_1%2F2')
  t.match(toCurl(BASE, call!), `curl -X PATCH '${BASE}api/schedules/sch_1%2F2'`)
  t.match(toCurl(BASE, call!), `-H 'if-match: "v.1"'`)
  t.match(toFetch(BASE, call!), `'if-match': '"v.1"'`)
  t.match(
    toTypedClient(BASE, call!),
    `await client.PATCH('/api/schedules/{id}', {\n  params: { path: { id: 'sch_1/2' }, header: { 'if-match': '"v.1"' } },\n  body: {`
  )

  for (const wrong of [
    { jitterSeconds: '3601' }, { jitterSeconds: '' }, { startAt: 'soon' }, { startAt: '2026-11-22T09:00', endAt: '2026-11-21T09:00' }
  ] as const) {
    t.equal(Object.keys(toChangesCall(schedule, { ...draft, ...wrong }).problems).length, 1, JSON.stringify(wrong))
  }
})

t.test('an interval is previewed from its next run, a cron from now', async t => {
  const now = Date.parse('2026-11-22T00:00:00Z')
  t.equal(anchorOf({ ...schedule, next_run_at: '2026-11-22T06:00:00.000Z' }, now), '2026-11-22T05:59:59.999Z')
  t.equal(
    anchorOf({ ...schedule, next_run_at: '2026-11-22T06:00:07.000Z', jitter_ms: 10_000 }, now), null,
    'with jitter the next run is not one of its instants'
  )
  t.equal(
    anchorOf({ ...schedule, cron: null, interval_ms: 60_000, next_run_at: '2026-11-22T00:00:30.000Z' }, now), '2026-11-21T23:59:30.000Z'
  )
  t.equal(anchorOf({ ...schedule, start_at: '2026-12-01T00:00:00.000Z' }, now), '2026-11-30T23:59:59.999Z')
  t.equal(anchorOf(schedule, now), null)
})

t.test('only the given parameters of an address change', async t => {
  t.equal(withParameters('status=failed&task=a%2Fb', { execution: 'x/y?#' }), '?status=failed&task=a%2Fb&execution=x%2Fy%3F%23')
  t.equal(withParameters('status=failed', { status: null }), '')
})
