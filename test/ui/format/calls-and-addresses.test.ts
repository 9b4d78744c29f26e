import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import { isRange, rangeStart, withParameters } from '../../../ui/src/format/address.ts'
import { emptyDraft, toScheduleCall } from '../../../ui/src/format/schedule-draft.ts'
import { shellQuote, toCurl, toFetch, toTypedClient } from '../../../ui/src/format/snippet.ts'

const BASE = 'https://example.org/tasks/'

t.test('a shell reads a quoted text back as it was', async (t) => {
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 80 }).filter((text) => !text.includes('\0')), 60)
  for (const text of [`it's "$(id)" \`id\` \\ \n 🎉`, ...texts]) t.equal(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' }), text)
})

t.test('a fetch snippet is JavaScript that means the same call', async (t) => {
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
  t.equal(toCurl(BASE, { method: 'GET', path: 'api/stats' }), "curl 'https://example.org/tasks/api/stats'")
})

t.test('the call of a new schedule has what differs from the defaults, once every field is valid', async (t) => {
  const draft = { ...emptyDraft, taskName: 'email:send' }
  t.same(toScheduleCall(draft), { call: { method: 'POST', path: 'api/schedules/cron', body: { task_name: 'email:send', cron: '0 9 * * 1-5' } }, problems: {} })
  t.same(toScheduleCall({ ...draft, timing: 'interval', everySeconds: '1.5', args: '["a", 1]', isEnabled: false, priority: '7', overlap: 'skip', timezone: 'Asia/Tokyo', description: ' d ' }).call, {
    method: 'POST', path: 'api/schedules/interval',
    body: { task_name: 'email:send', interval_ms: 1500, timezone: 'Asia/Tokyo', description: 'd', args: ['a', 1], enabled: false, priority: 7, overlap: 'skip' }
  })
  for (const wrong of [{ taskName: '' }, { cron: '* * *' }, { timing: 'interval', everySeconds: '0.5' }, { args: '{}' }, { args: '[' }, { priority: '-1' }, { priority: '1.5' }] as const) {
    const { call, problems } = toScheduleCall({ ...draft, ...wrong })
    t.equal(call, null)
    t.equal(Object.keys(problems).length, 1, JSON.stringify(wrong))
  }
})

t.test('an address changes only in what is asked', async (t) => {
  t.equal(withParameters('status=failed&task=a%2Fb', { execution: 'x/y?#' }), '?status=failed&task=a%2Fb&execution=x%2Fy%3F%23')
  t.equal(withParameters('status=failed', { status: null }), '')
  t.equal(rangeStart('1h', Date.UTC(2026, 10, 20, 9, 30, 42)), '2026-11-20T08:30:00.000Z')
  t.equal(isRange('toString'), false)
})
