import fc from 'fast-check'
import t from 'tap'
import { type KnownValues, completeSearch } from '../../../lib/backend/search/complete-search.ts'
import { parseSearch } from '../../../lib/backend/search/parse-search.ts'
import { inTime } from '../../support/in-time.ts'

const known: KnownValues = {
  taskNames: ['email:send', 'email digest', 'Import "daily"', 'took', '日報'],
  scheduleIds: ['s1'],
  workerIds: ['host-1:1'],
  errorGroups: ['abc123']
}

/** The searches that result from accepting each item; `|` marks the cursor. */
function completed(marked: string): string[] {
  const position = marked.indexOf('|')
  const search = marked.replace('|', '')
  const { from, to, items } = completeSearch(search, position, known)
  return items.map(({ text }) => `${search.slice(0, from)}${text}${search.slice(to)}`)
}

t.test('completion offers what may be typed at the cursor', async t => {
  const fields = ['status:', 'task:', 'error:', 'args:', 'took:', 'since:', 'until:', 'schedule:', 'worker:', 'group:', 'id:']
  const table: Array<[string, string[]]> = [
    ['|', fields],
    ['lost |', fields.map(field => `lost ${field}`)],
    ['s|', ['status:', 'since:', 'schedule:']],
    ['STA|', ['status:']],
    ['st|uff more', ['status: more']],
    ['st|atus:failed', ['status:failed']],
    ['em|', ['task:email:send', 'task:"email digest"']],
    ['status:|', ['status:pending', 'status:running', 'status:success', 'status:failed', 'status:cancelled']],
    ['x Status:F|', ['x Status:failed']],
    ['status:f|oo y', ['status:failed y']],
    ['task:|', ['task:email:send', 'task:"email digest"', 'task:"Import \\"daily\\""', 'task:took', 'task:日報']],
    ['task:EM|', ['task:email:send', 'task:"email digest"']],
    ['task:"em|', ['task:email:send', 'task:"email digest"']],
    ['task:"email |" x', ['task:"email digest" x']],
    ['task:imp|', ['task:"Import \\"daily\\""']],
    ['schedule:| worker:x', ['schedule:s1 worker:x']],
    ['worker:|', ['worker:host-1:1']],
    ['group:a|', ['group:abc123']],
    ['took:>3|', ['took:>3ms', 'took:>3s', 'took:>3m', 'took:>3h', 'took:>30s']],
    ['took:<=5|', ['took:<=5ms', 'took:<=5s', 'took:<=5m', 'took:<=5h']],
    ['since:2|', ['since:2m', 'since:2h', 'since:2d', 'since:2w', 'since:24h']],
    ['until:|', ['until:15m', 'until:1h', 'until:6h', 'until:24h', 'until:7d', 'until:30d']],
    ['error:|', []], ['args.a:|', []], ['"sta|', []], ['"sta"|', []], ['task:"email digest"|', []], ['zzz|', []],
    ['status:gone |', []]
  ]
  for (const [marked, expected] of table) t.strictSame(completed(marked), expected, marked)
})

t.test('each item describes what it means', async t => {
  const describe = (search: string) => completeSearch(search, search.length, known).items.map(({ description }) => description)
  t.strictSame(
    describe('took:>=1'),
    ['ran at least 1 millisecond', 'ran at least 1 second', 'ran at least 1 minute', 'ran at least 1 hour', 'ran at least 100 milliseconds']
  )
  t.strictSame(
    describe('since:7'),
    ['finished in the last 7 minutes', 'finished in the last 7 hours', 'finished in the last 7 days', 'finished in the last 7 weeks']
  )
  t.strictSame(
    describe('until:15'),
    [
      'finished more than 15 minutes ago', 'finished more than 15 hours ago', 'finished more than 15 days ago',
      'finished more than 15 weeks ago'
    ]
  )
})

t.test('a position beyond the search counts as its end, and an invalid one as its start', async t => {
  for (const position of [3, 99, Infinity]) t.strictSame(completeSearch('sta', position, known).items.map(({ text }) => text), ['status:'])
  for (const position of [-1, Number.NaN]) t.equal(completeSearch('sta', position, known).to, 0)
})

t.test('of 100,000 tasks twenty are offered, in a time that grows linearly with their number', async t => {
  const taskNames = Array.from({ length: 100_000 }, (_, i) => `task ${i}`)
  const { items } = await inTime(t, 'completed', 2_000, () => completeSearch('task:', 5, { taskNames }))
  t.equal(items.length, 20)
})

const piece = fc.constantFrom(
  'st', 'task:', 'status:', 'failed', 'took:', '>', '5', 's', 'since:', 'args.a:', 'args."', '"', '\\', ' ', ' ', ':', 'em', '日', '\u0000',
  '\ud800', '--'
)

t.test('every item leaves a search that parses, once a bare field is given a value', async t => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
  const search = fc.array(piece, { maxLength: 12 }).map(parts => parts.join(''))
  let offered = 0
  fc.assert(fc.property(search, fc.nat(60), fc.array(name, { maxLength: 5 }), (search, position, names) => {
    const { from, to, items } = completeSearch(search, position, { taskNames: [...known.taskNames, ...names] })
    if (!(from >= 0 && from <= to && to <= search.length)) return false
    if (items.length > 0 && !(from <= Math.min(position, search.length) && Math.min(position, search.length) <= to)) return false
    offered += items.length
    return items.every(({ text, description }) => {
      const value = text.endsWith(':') && isOpen(text)
        ? { 'status:': 'failed', 'took:': '>1s', 'since:': '1h', 'until:': '1h' }[text] ?? 'x'
        : ''
      return description !== '' &&
        (parses(search.slice(0, from) + text + search.slice(to)) || parses(search.slice(0, from) + text + value + search.slice(to)))
    })
  }), { numRuns: 2_000 })
  t.ok(offered > 1_000, `${offered} items`)
})

function isOpen(text: string): boolean {
  return /^[a-z]+:$/.test(text)
}

function parses(search: string): boolean {
  try {
    parseSearch(search, 0)
    return true
  } catch {
    return false
  }
}
