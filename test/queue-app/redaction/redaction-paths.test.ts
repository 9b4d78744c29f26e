import t from 'tap'
import { redactPaths, redactionPathFrom } from '../../../lib/queue-app/redaction/redaction-paths.ts'
import { inTime } from '../../support/in-time.ts'

const X = '[redacted]'

function redact(value: unknown, ...paths: string[]): unknown {
  return redactPaths(value, paths.map(path => {
    const parsed = redactionPathFrom(path)
    if (parsed === null) throw new Error(`${path} is not a path`)
    return parsed.steps
  }))
}

t.test('the value at a path is replaced, and nothing else', async t => {
  for (const [path, value, expected] of [
    ['args.password', [{ password: 'a', user: 'b' }], [{ password: X, user: 'b' }]],
    ['args.password', [{ password: { deep: [1, 2] } }], [{ password: X }]],
    ['args.password', [{ user: { password: 'stays' } }], [{ user: { password: 'stays' } }]],
    ['args.password', ['password', { passwords: 'stays' }], ['password', { passwords: 'stays' }]],
    ['args.PassWord', [{ PASSWORD: 'a', pAssword: null }], [{ PASSWORD: X, pAssword: X }]],
    ['args.user.password', [1, { user: { password: 2, name: 3 } }], [1, { user: { password: X, name: 3 } }]],
    ['args.cards.number', [{ cards: [{ number: 1 }, { number: 2, of: 3 }] }], [{ cards: [{ number: X }, { number: X, of: 3 }] }]],
    ['args.cards.number', [[{ cards: [[{ number: 1 }]] }]], [[{ cards: [[{ number: X }]] }]]],
    ['args."a.b"', [{ 'a.b': 1, a: { b: 2 } }], [{ 'a.b': X, a: { b: 2 } }]],
    ['args."Odd key".x', [{ 'odd KEY': { x: 1 } }], [{ 'odd KEY': { x: X } }]],
    ['args', ['a', 'b'], X],
    ['result.secret', { secret: 1, other: 2 }, { secret: X, other: 2 }],
    ['result', 'all of it', X],
    ['progress.token', { token: 't', percent: 5 }, { token: X, percent: 5 }]
  ] as const) t.strictSame(redact(value, path), expected, path)
})

t.test('a number in a path is an array index, or a key', async t => {
  for (const [path, value, expected] of [
    ['args.1', ['ana', 'hunter2', 'c'], ['ana', X, 'c']],
    ['args.0', ['ana', ['stays']], [X, ['stays']]],
    ['args.1.password', [{ password: 'stays' }, { password: 'a' }], [{ password: 'stays' }, { password: X }]],
    ['args.list.0', [{ list: ['a', 'b'] }], [{ list: [X, 'b'] }]],
    ['args.0.list.1.x', [{ list: [{ x: 1 }, { x: 2 }] }], [{ list: [{ x: 1 }, { x: X }] }]],
    ['result.7', { 7: 'a', 8: 'b' }, { 7: X, 8: 'b' }],
    ['args.12', ['a', 'b', 'c'], ['a', 'b', 'c']]
  ] as const) t.strictSame(redact(value, path), expected, path)
})

t.test('* matches one key or index, and ** any number', async t => {
  for (const [path, value, expected] of [
    ['args.*', ['a', { b: 1 }], [X, X]],
    ['args.*.token', [{ token: 1, a: { token: 2, b: { token: 3 } } }], [{ token: X, a: { token: X, b: { token: 3 } } }]],
    ['result.*.token', { token: 1, a: { token: 2, b: { token: 3 } } }, { token: 1, a: { token: X, b: { token: 3 } } }],
    ['result.*.*.token', { a: { token: 2, b: { token: 3 } } }, { a: { token: 2, b: { token: X } } }],
    ['args.**.token', [{ token: 1, a: { Token: 2, b: [{ token: 3, c: 4 }] } }], [{ token: X, a: { Token: X, b: [{ token: X, c: 4 }] } }]],
    [
      'args.user.**.token', [{ token: 1, user: { token: 2, a: { b: { token: 3 } } } }],
      [{ token: 1, user: { token: X, a: { b: { token: X } } } }]
    ],
    ['result.**.a.**.b', { a: { c: { b: 1 } }, b: 2, d: { a: { b: 3 } } }, { a: { c: { b: X } }, b: 2, d: { a: { b: X } } }],
    ['args.**', ['a'], X]
  ] as const) t.strictSame(redact(value, path), expected, path)
})

t.test('several paths are all followed', async t => {
  t.strictSame(redact([{ a: 1, b: { c: 2, d: 3 } }], 'args.a', 'args.b.c', 'args.b.c.e'), [{ a: X, b: { c: X, d: 3 } }])
})

t.test('the given value is not changed, and without paths it is returned as it is', async t => {
  const value = Object.freeze([Object.freeze({ password: 'a', list: Object.freeze([{ password: 'b' }]) })])
  redact(value, 'args.**.password')
  t.strictSame(value, [{ password: 'a', list: [{ password: 'b' }] }])
  t.equal(redactPaths(value, []), value)
})

t.test('keys of the prototype are treated like other keys', async t => {
  const value = JSON.parse('[{ "__proto__": { "token": 1, "x": 2 }, "constructor": { "token": 3 }, "toString": 4 }]') as unknown
  const redacted = redact(value, 'args.**.token', 'args.toString') as Array<Record<string, unknown>>
  t.equal(JSON.stringify(redacted), `[{"__proto__":{"token":"${X}","x":2},"constructor":{"token":"${X}"},"toString":"${X}"}]`)
  t.equal(Object.getPrototypeOf(redacted[0]), Object.prototype)
  t.equal(({} as Record<string, unknown>).token, undefined)
  t.strictSame(redact([{ a: 1 }], 'args.constructor', 'args.__proto__'), [{ a: 1 }])
})

t.test('deep values and many wildcards take time in proportion to the size of the value', async t => {
  let deep: unknown = { a: 1 }
  for (let depth = 0; depth < 200; depth++) deep = [deep]
  let wide: unknown = { a: 1 }
  for (let depth = 0; depth < 200; depth++) wide = { a: wide }
  await inTime(t, 'both', 1_000, () => {
    t.equal(JSON.stringify(redact(deep, 'args.*.*.*.a.a')), JSON.stringify(deep))
    redact(wide, 'args.**.*.**.*.**.*.**.b')
  })
})

t.test('only valid paths are parsed', async t => {
  for (const path of [
    '', 'password', 'args.', 'args..a', '.args', 'args.a.', 'args[0].a', 'args.a[0]', 'args."a', 'args.a"b"', 'argsa', 'error',
    'error.type', 'logs.0', 'error.message.a'
  ]) {
    t.equal(redactionPathFrom(path), null, path)
  }
  for (const path of [
    'args', 'ARGS.a', 'result.a', 'progress', 'logs', 'error.message', 'Error.Stack', 'args.a b.ü', 'args.**', 'args."[x]"'
  ])
    t.ok(redactionPathFrom(path), path)
})
