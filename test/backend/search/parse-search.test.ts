import fc from 'fast-check'
import t from 'tap'
import { isTaskDashboardError } from '../../../lib/errors.ts'
import { type SearchFilters, parseSearch } from '../../../lib/backend/search/parse-search.ts'
import { MAX_SEARCH_LENGTH } from '../../../schemas/limits.ts'
import { quoteSearchValue } from '../../../lib/backend/search/search-terms.ts'
import { inTime } from '../../support/in-time.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const parse = (search: string) => parseSearch(search, NOW)
const filters = (given: Partial<SearchFilters>): SearchFilters => ({ text: [], isContradictory: false, ...given })
const any = (...words: string[]) => ({ in: 'any', words }) as const
const aboveFive = 5_000.000000000001 // the smallest number above 5,000: `>5s` is a minimum that excludes 5 s

t.test('a search parses into the filters that the documentation describes', async t => {
  const table: Array<[string, Partial<SearchFilters>]> = [
    ['', {}],
    [' \t\u3000', {}],
    ['task:send_email', { taskName: 'send_email' }],
    ['TASK:"with spaces" Status:FAILED', { taskName: 'with spaces', status: 'failed' }],
    [
      'schedule:s1 worker:host-1:2 group:abc123 id:0b5a',
      { scheduleId: 's1', workerId: 'host-1:2', errorGroup: 'abc123', executionId: '0b5a' }
    ],
    ['task:a:b"c', { taskName: 'a:b"c' }],
    ['task:C:\\new', { taskName: 'C:\\new' }],
    ['task:"say \\"hi\\" \\\\ C:\\new"', { taskName: 'say "hi" \\ C:\\new' }],
    ['took:>5s', { minDurationMs: aboveFive }],
    ['took:>=5s took:<=250m', { minDurationMs: 5_000, maxDurationMs: 15_000_000.000000002 }],
    ['took:>=1.5h took:>=1ms', { minDurationMs: 5_400_000 }],
    ['took:<2S took:<1M', { maxDurationMs: 2_000 }],
    ['took:">=2 s"'.replace(' ', ''), { minDurationMs: 2_000 }],
    ['since:24h until:1h', { from: NOW - 86_400_000, to: NOW - 3_600_000 }],
    ['since:2w since:1.5d', { from: NOW - 129_600_000 }],
    ['since:99999w', { from: 0 }],
    ['since:2026-11-19 until:2026-11-20T09:00Z', { from: Date.parse('2026-11-19'), to: Date.parse('2026-11-20T09:00Z') }],
    ['since:2026-11-20t09:00:30.5+02:00', { from: Date.parse('2026-11-20T07:00:30.500Z') }],
    [
      'error:timeout error:"connection reset"',
      { text: [{ in: 'error', words: ['timeout'] }, { in: 'error', words: ['connection', 'reset'] }] }
    ],
    ['args:ana@example.org', { text: [{ in: 'args', words: ['ana', 'example', 'org'] }] }],
    [
      'args.user_id:42 Args.User.email:"a@b.c"',
      { text: [{ in: 'path', path: ['user_id'], value: '42' }, { in: 'path', path: ['User', 'email'], value: 'a@b.c' }] }
    ],
    ['args."odd key"."a.b\\"c".x-y:z:z', { text: [{ in: 'path', path: ['odd key', 'a.b"c', 'x-y'], value: 'z:z' }] }],
    ['args.note:"" args.日本:東京', { text: [{ in: 'path', path: ['note'], value: '' }, { in: 'path', path: ['日本'], value: '東京' }] }],
    ['lost "connection reset"', { text: [any('lost'), any('connection', 'reset')] }],
    ['Error: no route', { text: [any('error'), any('no'), any('route')] }],
    ["TypeError: Cannot read (reading 'id')", { text: [any('typeerror'), any('cannot'), any('read'), any('reading'), any('id')] }],
    ['https://example.org/a?b=1 10:30 127.0.0.1:6379', {
      text: [any('https', 'example', 'org', 'a', 'b', '1'), any('10', '30'), any('127', '0', '0', '1', '6379')]
    }],
    ['user:42 foo:bar', { text: [any('user', '42'), any('foo', 'bar')] }],
    ['"status:failed" {"a":1}', { text: [any('status', 'failed'), any('a', '1')] }],
    ['foo => - bar', { text: [any('foo'), any('bar')] }],
    ['args.x args.', { text: [any('args', 'x'), any('args')] }],
    ['日報\u3000失敗', { text: [any('日', '報'), any('失', '敗')] }],
    ['task:a\u0000task:a', { taskName: 'a' }]
  ]
  for (const [search, expected] of table) t.strictSame(parse(search), filters(expected), search)
})

t.test('terms that exclude each other make the search contradictory, not invalid', async t => {
  for (const search of [
    'status:failed status:success', 'task:a task:A', 'id:1 id:2', 'since:1h until:1h', 'since:1h until:2h', 'took:>5s took:<=5s',
    'took:>=5s took:<5s', 'took:<0s'
  ]) {
    t.equal(parse(search).isContradictory, true, search)
  }
  for (const search of ['status:failed Status:failed', 'task:a task:"a"', 'took:>=5s took:<=5s', 'took:<=0ms', 'since:2h until:1h'])
    t.equal(parse(search).isContradictory, false, search)
})

t.test('an error names the position of the fault and how to fix it', async t => {
  const table: Array<[string, number, RegExp]> = [
    ['lost status:gone', 12, /^character 13: "gone" is not a status: use pending, running, success, failed, cancelled$/],
    ['status: failed', 7, /^character 8: status: needs a value, without a space after the colon/],
    ['task:', 5, /needs a value/], ['task:""', 5, /needs a value/], ['error:', 6, /needs a value/], ['args.a:', 7, /needs a value/],
    ['args.a: 5', 7, /needs a value/],
    ['a "b c', 2, /quote is not closed/], ['task:"b\\"', 5, /quote is not closed/], ['"a"b', 3, /space must follow the closing quote/],
    ['took:5s', 5, /write >5s/], ['took:>5', 5, /write >5s/], ['took:>1d', 5, /write >5s/], ['took:>-1s', 5, /write >5s/],
    [`took:>${'9'.repeat(400)}s`, 5, /write >5s/],
    ['since:yesterday', 6, /duration back from now/], ['since:2026-02-30', 6, /a date/],
    ['since:2026-11-20T09:00', 6, /with Z or an offset/], ['until:500ms', 6, /a duration/],
    ['since:2026-11-20T25:00Z', 6, /an instant/],
    ['foo taks:a', 4, /there is no field "taks"; did you mean task:\? Quote it to search for it as text$/],
    ['statu:failed', 0, /did you mean status:/], ['Tasks:a', 0, /did you mean task:/], ['task_name:a', 0, /did you mean task:/],
    ['duration_ms:>5', 0, /did you mean took:/],
    ['error:"--"', 6, /no letter or digit/], ['args:🦊', 5, /no letter or digit/], ['  -- "!"', 2, /no letter or digit/],
    ['args.a.b.c.d.e.f.g.h.i:1', 0, /to a depth of 8 keys/],
    [`${'a '.repeat(20)}b`, 40, /at most 20 terms/], ['a'.repeat(513), 512, /at most 512 characters/],
    [`status:${'%s'.repeat(60)}`, 7, /^character 8: "(%s){20}…" is not a status/]
  ]
  for (const [search, position, message] of table) {
    const error = caught(search)
    t.ok(isTaskDashboardError(error), search)
    if (!isTaskDashboardError(error)) continue
    t.equal(error.code, 'INVALID_SEARCH')
    t.equal(error.statusCode, 400)
    t.match(error.errors, [{ pointer: 'search', position, message }], search)
    t.ok(error.message.length < 400)
  }
})

const pieces = fc.constantFrom(
  'task:', 'status:', 'failed', 'took:', '>5s', 'since:', '2026-11-20', 'until:', '24h', 'error:', 'args.', 'args.a:', 'args."', 'id:', '"',
  '\\', ' ', ':', '.', '-', '日', 'ς', '\u0000', '\ud800', 'x', '42'
)

t.test('any text parses or throws INVALID_SEARCH with a position inside the text', async () => {
  fc.assert(fc.property(fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map(parts => parts.join('')), fc.string({ unit: 'binary', maxLength: 600 })
  ), search => {
    const error = caught(search)
    if (error === null) return true
    const position = isTaskDashboardError(error) && error.code === 'INVALID_SEARCH' ? error.errors?.[0]?.position : undefined
    return Number.isInteger(position) && position! >= 0 && position! <= search.length
  }), { numRuns: 2_000 })
})

t.test('the whitespace between terms does not change the filters', async () => {
  const term = fc.constantFrom('task:a', 'status:failed', 'took:>5s', '"a b"', 'word', 'error:x', 'args.k:"v w"', 'since:1h')
  fc.assert(fc.property(fc.array(fc.tuple(term, fc.constantFrom(' ', '  ', '\t', '\u3000', '\n')), { maxLength: 10 }), parts => {
    const loose = parts.map(([each, space]) => space + each + space).join('')
    return JSON.stringify(parse(loose)) === JSON.stringify(parse(parts.map(([each]) => each).join(' ')))
  }))
})

t.test('any task name can be quoted and parses back to itself', async t => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
    fc.string({ unit: fc.constantFrom('"', '\\', ' ', ':', 'a', '🦊', '日', '\u3000'), minLength: 1, maxLength: 100 })
  )
    .map(text => [...text].slice(0, 100).join(''))
  fc.assert(fc.property(name, name => parse(`task:${quoteSearchValue(name)} x`).taskName === name), { numRuns: 500 })
  t.equal(quoteSearchValue('email:send'), 'email:send')
  t.equal(quoteSearchValue('a b'), '"a b"')
})

t.test('a hostile search is parsed or refused within a second', async t => {
  await inTime(t, 'refused or parsed', 1_000, () => {
    for (const piece of ['"', '\\', 'args.', 'args."', '."\\"', 'a:', ':', '>', '9', 'ﷺ', '日', '\ud800'])
      caught(piece.repeat(MAX_SEARCH_LENGTH).slice(0, MAX_SEARCH_LENGTH))
    caught('"'.repeat(10_000_000))
  })
})

function caught(search: string): unknown {
  try {
    parse(search)
    return null
  } catch (error) {
    return error
  }
}
