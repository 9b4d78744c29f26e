import t from 'tap'
import { SEARCHED, matchesText, pathToken, searchableOf } from '../../../lib/backend/search/searchable.ts'
import type { TextCondition } from '../../../lib/backend/search/text-condition.ts'
import { wordsOf } from '../../../lib/backend/search/words.ts'
import { inTime } from '../../support/in-time.ts'

const execution = {
  executionId: '01890000-aaaa-7000-8000-000000000042', taskName: 'email:send_welcome',
  error: { type: 'TypeError', message: 'connection reset by peer', stack: 'at secretFunction' }
}
const args = ['ana@example.org', { user: { id: 42, Name: 'Ana María' }, tags: [{ key: 'urgent' }, ['x']], flag: true, none: null }, 7]

function finds(condition: TextCondition, given: { args?: readonly unknown[] | null } = {}): boolean {
  return matchesText(searchableOf(execution, given.args === undefined ? args : given.args), [condition])
}
const words = (where: 'any' | 'error' | 'args', text: string): TextCondition => ({ in: where, words: wordsOf(text, 20) })
const path = (path: string[], value: string): TextCondition => ({ in: 'path', path, value })

t.test('words match in order, consecutively, and the last one as a prefix', async t => {
  const table: Array<[TextCondition, boolean]> = [
    [words('any', 'connection reset'), true], [words('any', 'CONNECTION RES'), true], [words('any', 'connect reset'), false],
    [words('any', 'reset connection'), false],
    [words('error', 'typeerror'), true], [words('error', 'ana'), false], [words('args', 'ana example'), true],
    [words('args', 'typeerror'), false],
    [words('any', 'send_welcome'), true], [words('any', '000000000042'), true], [words('any', 'secretFunction'), false],
    [words('error', 'typeerror connection'), false], [words('args', 'user'), true], [words('args', 'org user'), false],
    [words('args', 'true'), true],
    [words('args', 'maria'), false], [words('args', 'maría'), true]
  ]
  for (const [condition, expected] of table) t.equal(finds(condition), expected, JSON.stringify(condition))
})

t.test('a value matches under its path, ignoring array positions and case', async t => {
  const table: Array<[TextCondition, boolean]> = [
    [path(['user', 'id'], '42'), true], [path(['USER', 'ID'], '42'), true], [path(['user', 'id'], '4'), false], [path(['id'], '42'), false],
    [path(['user', 'name'], 'ana maría'), true],
    [path(['tags', 'key'], 'urgent'), true], [path(['tags'], 'x'), true], [path(['flag'], 'true'), true], [path(['none'], 'null'), true],
    [path(['1', 'flag'], 'true'), false]
  ]
  for (const [condition, expected] of table) t.equal(finds(condition), expected, JSON.stringify(condition))
})

t.test('all conditions must match', async t => {
  const searchable = searchableOf(execution, args)
  t.equal(matchesText(searchable, [words('error', 'reset'), path(['flag'], 'true')]), true)
  t.equal(matchesText(searchable, [words('error', 'reset'), path(['flag'], 'false')]), false)
  t.equal(matchesText(searchable, []), true)
  t.equal(matchesText(searchableOf({ ...execution, error: null }, null), [words('error', 'reset')]), false)
})

t.test('no two pairs of path and value share a token, and no token holds characters that a datastore refuses', async t => {
  const pairs: Array<[string[], string]> = [
    [['a'], 'b'], [['a', 'b'], ''], [['a', ''], 'b'], [['a'], '\u001fb'], [['a\u001fb'], ''], [['', 'a'], 'b'], [[''], 'ab']
  ]
  t.equal(new Set(pairs.map(([path, value]) => pathToken(path, value))).size, pairs.length)
  for (const text of ['\u0000', '\ud800', '\udfff', 'x'.repeat(99) + '🦊', '\r\n']) {
    const token = pathToken([text, 'k'], text)
    t.ok(!/\p{Cs}/u.test(token) && !/[\u0000-\u001e\u007f-\u009f]/.test(token), JSON.stringify(text))
    t.equal(matchesText(searchableOf(execution, [{ [text]: { k: text } }]), [path([text, 'k'], text)]), true)
  }
})

t.test('arguments of any size and depth are indexed quickly and up to the limits', async t => {
  const nest = (depth: number, wrap: (inner: unknown) => unknown) => {
    let value: unknown = 'core'
    while (depth-- > 0)
      value = wrap(value)
    return value
  }
  const hostile: Array<readonly unknown[]> = [
    [nest(100_000, inner => [inner])], [nest(100_000, inner => ({ a: inner }))],
    [nest(100_000, inner => ({ [`k${'x'.repeat(10)}`]: inner, more: [inner === 'core'] }))],
    Array.from({ length: 100_000 }, () => ''), Array.from({ length: 100_000 }, (_, i) => ({ [`key ${i}`]: i })), ['x'.repeat(100_000)],
    ['x '.repeat(100_000)],
    [Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, '!']))], ['\u0000'.repeat(100_000)], ['\ud800'.repeat(100_000)],
    ['ﷺ'.repeat(100_000)]
  ]
  for (const args of hostile) {
    // Linear time for 100,000 items is a fraction of this; quadratic time would be many times as long.
    const { paths, args: texts } = await inTime(t, 'searched', 2_000, () => searchableOf(execution, args))
    t.ok(paths.size <= SEARCHED.paths)
    t.ok(texts.flat().length <= SEARCHED.argsWords)
  }
  const cyclic: unknown[] = []
  cyclic.push(cyclic, cyclic)
  t.strictSame(searchableOf(execution, cyclic).args, [])
  t.equal(finds(path(Array.from({ length: 8 }, () => 'a'), 'core'), { args: [nest(8, inner => ({ a: inner }))] }), true)
  t.equal(finds(path(Array.from({ length: 9 }, () => 'a'), 'core'), { args: [nest(9, inner => ({ a: inner }))] }), false)
})

t.test('an error is indexed up to its limit, type first', async t => {
  const message = Array.from({ length: 300 }, (_, i) => `w${i}`).join(' ')
  const { error } = searchableOf({ ...execution, error: { type: 'A B', message, stack: null } }, [])
  t.equal(error.flat().length, SEARCHED.errorWords)
  t.strictSame(error[0], ['a', 'b'])
  t.strictSame(searchableOf({ ...execution, error: { type: '', message: '', stack: null } }, null).error, [])
})
