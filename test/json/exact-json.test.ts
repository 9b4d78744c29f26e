import { runInNewContext } from 'node:vm'
import t from 'tap'
import { exactJson, MAX_JSON_DEPTH, reportedJson } from '../../lib/json/exact-json.ts'

class Hidden { #secret = 1; get secret() { return this.#secret } }
class Money { amount = 1; toJSON() { return '1.00' } }
const circular = { list: [1, {}] as unknown[] }
circular.list.push({ owner: circular })

/** Values that may be neither an argument nor a result. */
const REFUSED: ReadonlyArray<readonly [place: string, reason: string, value: unknown]> = [
  ['', 'is NaN, which JSON does not have', NaN], ['.price', 'is Infinity', { first: { b: [1] }, price: Infinity }],
  ['[2][0]', 'is -Infinity', [[], {}, [-Infinity]]],
  ['.list[1]', 'is undefined, which would arrive as null', { list: [1, undefined] }], ['[0]', 'is undefined', new Array(2)],
  ['', 'is a bigint', 10n], ['.run', 'is a function', { run() {} }], ['', 'is a symbol', Symbol('a')],
  ['.tags', 'is a Map, which JSON drops', { tags: new Map([[1, 2]]) }], ['["a b"]', 'is a Set', { 'a b': new Set() }],
  ['', 'is a Promise: await it', Promise.resolve(1)], ['', 'is a RegExp', /a/], ['', 'is a TypeError', new TypeError('lost')],
  ['', 'is a Uint8Array', new Uint8Array(2)], ['.body', 'is a Buffer', { body: Buffer.from('a') }],
  ['', 'is an ArrayBuffer', new ArrayBuffer(1)],
  ['', 'is a Number object: use the plain value', Object(1)], ['', 'is a String object', Object('a')],
  ['', 'is a URLSearchParams', new URLSearchParams('a=1')], ['', 'is a Hidden', new Hidden()],
  ['.m', 'is a Map', { m: runInNewContext('new Map()') as unknown }],
  ['.list[2].owner', 'is circular', circular],
  ['', 'cannot be read: not today', { get price() { throw new Error('not today') } }],
  ['', 'cannot be read', new Proxy({}, { ownKeys() { throw new Error('no keys') } })]
]

t.test('a value that JSON would change is refused, with its path and advice', async t => {
  for (const [place, reason, value] of REFUSED) {
    const start = (name: string) => new RegExp(`^${`${name}${place} ${reason}`.replace(/[[\].]/g, '\\$&')}`)
    t.throws(() => exactJson([0, value, 0]), { name: 'TypeError', message: start('args[1]') }, `${place} ${reason}`)
    t.throws(() => reportedJson('result', value), { name: 'TypeError', message: start('result') }, `${place} ${reason}`)
  }
})

t.test('an argument with a toJSON() is refused, and a result becomes what that returns', async t => {
  const date = new Date('2026-11-20T09:00:00Z')
  const itself = { a: 1, toJSON() { return { ...this, toJSON: undefined } } }
  const said: ReadonlyArray<readonly [value: unknown, json: string, refusal: RegExp]> = [
    [date, '"2026-11-20T09:00:00.000Z"', /args\[0\] is a Date, which JSON turns into a string/],
    [{ at: [date] }, '{"at":["2026-11-20T09:00:00.000Z"]}', /args\[0\]\.at\[0\] is a Date/],
    [new Money(), '"1.00"', /args\[0\] is a Money with a toJSON\(\): use its return value/],
    [new URL('https://example.com/'), '"https://example.com/"', /is a URL with/], [itself, '{"a":1}', /is an object with a toJSON/]
  ]
  for (const [value, json, message] of said) {
    t.throws(() => exactJson([value]), { message })
    t.equal(reportedJson('result', value), json)
  }
  t.throws(() => reportedJson('result', { at: new Date(NaN) }), { message: /^result\.at is a Date that is not valid$/ })
  t.throws(() => reportedJson('result', { toJSON() { return new Map() } }), { message: /^result is a Map/ })
  t.throws(() => reportedJson('result', { toJSON() { throw new Error('not today') } }), { message: /^result cannot be read: not today$/ })
  const unending: object = { toJSON: () => ({ inner: unending }) }
  t.throws(() => reportedJson('result', unending), { message: /^result\.inner is circular/ })
  t.equal(reportedJson('result', undefined), 'null')
})

t.test('a value that JSON preserves is accepted', async t => {
  class Point { x = 1; y = undefined }
  const taken: ReadonlyArray<readonly [value: unknown, arrives: unknown]> = [
    [{ a: undefined, b: null }, { b: null }], [{}, {}], [Object.create(null), {}], [new Point(), { x: 1 }],
    [runInNewContext('({ a: [1] })'), { a: [1] }],
    ['\ud800\0', '\ud800\0'], [-1.5, -1.5], [1e308, 1e308], ['', ''], [{ toJSON: 'text' }, { toJSON: 'text' }]
  ]
  for (const [value, arrives] of taken) t.strictSame(JSON.parse(exactJson([value])), [arrives])
  t.equal(exactJson([-0]), '[0]')
  t.equal(exactJson(['a', undefined, undefined]), '["a"]', 'omitted arguments at the end')
  t.throws(() => exactJson([undefined, 1]), { message: /^args\[0\] is undefined/ })
  const shared = { a: 1 }
  t.equal(exactJson([shared, shared]), '[{"a":1},{"a":1}]', 'the same object twice is not a cycle')
  const own = JSON.parse('{"__proto__":{"a":1}}') as object
  t.equal(exactJson([own]), '[{"__proto__":{"a":1}}]')
})

t.test('values that nest too deeply or repeat themselves too often are refused quickly', async t => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1
    for (let level = 0; level < levels; level++) value = [value]
    return value
  }
  t.equal(exactJson([nested(MAX_JSON_DEPTH)]).length, 2 * MAX_JSON_DEPTH + 3)
  t.throws(() => exactJson([nested(MAX_JSON_DEPTH + 1)]), { message: 'args nests deeper than 1000 levels' })
  t.throws(() => exactJson([nested(100_000)]), { message: 'args nests deeper than 1000 levels' })
  let doubled: unknown = 'a'
  for (let level = 0; level < 60; level++) doubled = { left: doubled, right: doubled }
  t.throws(() => exactJson([doubled]), { message: 'args holds more than 4194304 values' })
  const long = t.throws(() => exactJson([{ ['k'.repeat(10_000)]: [new Map()] }]), {
    message: /^args\[0\]\.kkk.* is a Map/
  }) as unknown as Error
  t.ok(long.message.length < 500)
})
