import t from 'tap'
import type { ExecutionDetail } from '../../../lib/execution.ts'
import { createRedaction, type RedactOptions } from '../../../lib/queue-app/redaction/redaction.ts'
import { inTime } from '../../support/in-time.ts'

const X = '[redacted]'
const FAILED = '[redaction failed]'

function setUp(options: RedactOptions) {
  const errors: Error[] = []
  return { redaction: createRedaction(options, error => errors.push(error)), errors }
}

function toExecution(changes: Partial<ExecutionDetail>): ExecutionDetail {
  return {
    executionId: 'e', taskName: 'login', queue: 'login', status: 'failed', state: 'failed', attempt: 2, maxAttempts: 2, priority: 0,
    scheduleId: null, retryOf: null,
    workerId: 'w', submittedAt: 1, startedAt: 2, finishedAt: 3, waitMs: 1, durationMs: 1, progress: null, error: null, errorGroup: null,
    args: [], result: null, attempts: [], logs: [], truncated: [], ...changes
  }
}

t.test('if the arguments could not be read, whatever may hold a copy of them is hidden', async t => {
  const error = { type: 'LoginError', message: 'wrong: hunter22!', stack: null }
  const unread = { args: null, result: 'for hunter22!', logs: ['with hunter22!'], error }
  for (const part of [{ missing: ['args'] }, { truncated: ['/args'] }] as const) {
    const execution = toExecution({ ...unread, ...part })
    t.notMatch(JSON.stringify(setUp({ paths: ['args.password'] }).redaction.execution(execution)), /hunter22/)
    t.notMatch(JSON.stringify(setUp({ with: (_field, value) => value }).redaction.execution(execution)), /hunter22/)
    const elsewhere = setUp({ paths: ['result.token'] }).redaction.execution(execution)
    t.match(elsewhere, { error, logs: ['with hunter22!'] }, 'nothing in arguments is to be hidden')
  }
})

t.test('a secret in the arguments is removed from every other field', async t => {
  const { redaction, errors } = setUp({ paths: ['args.password'] })
  const error = {
    type: 'LoginError', message: 'wrong: hunter22!', stack: 'LoginError: wrong: hunter22!\n    at login (/app/hunter22!/login.ts:1:2)'
  }
  const shown = redaction.execution(toExecution({
    args: ['ana', { password: 'hunter22!' }],
    result: { said: 'your password is hunter22!', 'hunter22!': [true, null, 7] },
    resultProblem: 'result["hunter22!"] is a Map',
    progress: 'trying hunter22!',
    logs: ['with hunter22! and again hunter22!', 'nothing here'],
    error,
    attempts: [{ attempt: 1, startedAt: null, finishedAt: null, workerId: null, error }]
  }))
  t.notMatch(JSON.stringify(shown), /hunter22/)
  t.match(shown, {
    args: ['ana', { password: X }],
    result: { said: `your password is ${X}`, [X]: [true, null, 7] },
    resultProblem: `result["${X}"] is a Map`,
    progress: `trying ${X}`,
    logs: [`with ${X} and again ${X}`, 'nothing here'],
    error: { type: 'LoginError', message: `wrong: ${X}`, stack: `LoginError: wrong: ${X}\n    at login (/app/${X}/login.ts:1:2)` }
  })
  t.strictSame(shown.attempts[0]!.error, shown.error)
  t.same(errors, [])
})

t.test('secrets are found in structures, numbers, JSON, with special characters and across lines', async t => {
  const { redaction } = setUp({ paths: ['args.secret'] })
  for (const [secret, text] of [
    ['hunter22', 'hunter22'],
    [4111111111111111, 'card 4111111111111111 declined'],
    [{ a: ['nested-1', { b: 'nested-2' }] }, 'nested-1 and nested-2'],
    ['with "quotes" and \\', JSON.stringify({ sent: 'with "quotes" and \\' })],
    ['nul\0secret', 'nul\ufffdsecret'],
    ['$& $1 (.*) [a-z]+', 'as is: $& $1 (.*) [a-z]+'],
    ['-----BEGIN KEY-----\nMIIEow\nqhkiG9\n-----END KEY-----', '    MIIEow'],
    ['abcdef', 'abcdefghi abcdef']
  ] as const) {
    const [line] = redaction.execution(toExecution({ args: [{ secret }], logs: [text] })).logs
    t.ok(line!.includes(X), text)
    t.notMatch(line, /hunter22|41111|nested|quotes|nul|\$&|MIIEow|abcdef/)
  }
  const numbers = redaction.execution(toExecution({ args: [{ secret: 123456 }], result: [123456, 12345, 99123456], progress: 123456 }))
  t.strictSame([numbers.result, numbers.progress], [[X, 12345, X], X])
})

t.test('a secret in one argument is removed from the other arguments, also those of schedules', async t => {
  const { redaction } = setUp({ paths: ['args.password'] })
  const args = [{ password: 'hunter22!' }, 'https://a.example/login?pw=hunter22!', { 'hunter22!': ['not hunter22!', 7] }]
  const shown = [{ password: X }, `https://a.example/login?pw=${X}`, { [X]: [`not ${X}`, 7] }]
  t.strictSame(redaction.args('login', args), shown)
  t.strictSame(redaction.execution(toExecution({ args })).args, shown)
  t.strictSame(redaction.listed(toExecution({}), args).args, shown)
})

t.test('a secret that the function removes from one argument is removed from the others', async t => {
  const { redaction } = setUp({ with: (field, value) => field === 'args' ? [{ password: '***' }, (value as unknown[])[1]] : value })
  t.strictSame(redaction.args('login', [{ password: 'hunter22!' }, 'as hunter22!']), [{ password: '***' }, `as ${X}`])
})

t.test('short values are removed only from the arguments, because other words contain them', async t => {
  const { redaction } = setUp({ paths: ['args.pin'] })
  const shown = redaction.execution(toExecution({ args: [{ pin: '12345' }, { pin: true }], result: '12345 is true' }))
  t.strictSame([shown.args, shown.result], [[{ pin: X }, { pin: X }], '12345 is true'])
})

t.test('a secret at the point where a text was cut is removed too', async t => {
  const { redaction } = setUp({ paths: ['args.secret'] })
  const args = [{ secret: 'a-secret-of-some-length' }]
  const message = `${'x'.repeat(9_990)}a-secret-o`
  t.equal(
    redaction.error('login', { type: 'Error', message, stack: `Error: ${message}\n    at f (a.ts:1:1)` }, args).message,
    'x'.repeat(9_990) + X
  )
  t.notMatch(redaction.error('login', { type: 'Error', message, stack: `Error: ${message}\n    at f (a.ts:1:1)` }, args).stack, /a-secret/)
})

t.test('with too many secrets to search for, texts are removed entirely', async t => {
  const { redaction } = setUp({ paths: ['args.all'] })
  const all = Array.from({ length: 1_001 }, (_, index) => `secret-${index}`)
  const shown = redaction.execution(toExecution({
    args: [{ all }], result: { n: 'x' }, logs: ['a', 'b'], error: { type: 'E', message: 'secret-7', stack: 'E: secret-7' }
  }))
  t.match(shown, { args: [X], result: X, logs: [X, X], error: { type: X, message: X, stack: X } })
})

t.test('the path of a whole field hides all of it', async t => {
  const { redaction } = setUp({ paths: ['args', 'result', 'progress', 'logs', 'error.message'] })
  const shown = redaction.execution(toExecution({
    args: ['a'], result: { a: 1 }, progress: 5, logs: ['a', 'b'],
    error: { type: 'E', message: 'down', stack: 'E: down\n    at f (a.ts:1:1)' }
  }))
  t.match(shown, { args: [X], result: X, progress: X, logs: [X], error: { type: 'E', message: X, stack: `E: ${X}\n    at f (a.ts:1:1)` } })
  t.equal(setUp({ paths: ['error.stack'] }).redaction.error('login', { type: 'E', message: 'm', stack: 'E: m' }, []).stack, X)
})

t.test('missing values stay as they are, and nothing is changed in place', async t => {
  const calls: string[] = []
  const { redaction } = setUp({
    paths: ['args.a', 'result', 'progress', 'logs'], with: (field, value) => { calls.push(field); return value }
  })
  const empty = toExecution({ args: null })
  t.strictSame(redaction.execution(empty), empty)
  t.same(calls, [])
  const full = toExecution({
    args: [{ a: 'secret-1' }], result: { a: 'secret-1' }, logs: ['secret-1'], error: { type: 'E', message: 'secret-1', stack: null }
  })
  const before = structuredClone(full)
  redaction.execution(full)
  t.strictSame(full, before)
})

t.test('the function runs after the paths, once per field, and what it removes is a secret', async t => {
  const calls: unknown[] = []
  const { redaction, errors } = setUp({
    paths: ['args.password'],
    with(field, value, taskName) {
      calls.push([field, value, taskName])
      return JSON.parse(JSON.stringify(value).replaceAll('ana@example.com', 'a…')) as unknown
    }
  })
  const shown = redaction.execution(toExecution({
    args: ['ana@example.com', { password: 'hunter22!' }], result: 'sent to ana@example.com', logs: ['to ana@example.com'],
    error: { type: 'E', message: 'ana@example.com with hunter22!', stack: null }
  }))
  t.strictSame(calls[0], ['args', ['ana@example.com', { password: X }], 'login'])
  t.same(calls.map(call => (call as string[])[0]), ['args', 'result', 'logs', 'error.message'])
  t.match(shown, { args: ['a…', { password: X }], result: `sent to ${X}`, logs: [`to ${X}`], error: { message: `${X} with ${X}` } })
  t.same(errors, [])
})

t.test('a function that changes its value in place still hides what it removed', async t => {
  const { redaction } = setUp({
    with(field, value) {
      if (field === 'args') (value as Array<{ password: string }>)[0]!.password = '***'
      return value
    }
  })
  const args = [{ password: 'hunter22!' }]
  t.match(redaction.execution(toExecution({ args, logs: ['hunter22!'] })), { args: [{ password: '***' }], logs: [X] })
  t.strictSame(args, [{ password: 'hunter22!' }])
})

t.test('a field for which the function fails is removed, and the failure is reported once', async t => {
  const circular: unknown[] = []
  circular.push(circular)
  for (const [title, replace] of Object.entries<RedactOptions['with'] & object>({
    throws() { throw new Error('no') },
    'returns undefined': () => undefined,
    'returns a function': () => () => {},
    'returns a bigint': () => 1n,
    'is circular': () => circular,
    'is async': async (_, value) => value,
    'is async and rejects': async () => { throw new Error('no') },
    'is a thenable': (_, value) => ({ then(resolve: (value: unknown) => void) { resolve(value) } }),
    'is a thenable that throws': () => ({ then() { throw new Error('no') } }),
    'is a thenable that cannot be looked at': () => ({ get then() { throw new Error('no') } }),
    'is a thenable that never calls back': () => ({ then() {} })
  })) {
    const { redaction, errors } = setUp({ with: replace })
    const shown = redaction.execution(toExecution({
      args: ['hunter22!'], result: 'hunter22!', progress: 'hunter22!', logs: ['hunter22!'],
      error: { type: 'E', message: 'hunter22!', stack: 'E: hunter22!' }
    }))
    t.match(
      shown, { args: [FAILED], result: FAILED, progress: FAILED, logs: [FAILED], error: { type: X, message: FAILED, stack: FAILED } }, title
    )
    t.notMatch(JSON.stringify(shown), /hunter/)
    t.equal(errors.length, 1)
    t.match(errors[0]!.message, /field args of task "login"/)
  }
})

t.test('a function that returns a value of the wrong type has failed', async t => {
  for (const [field, value] of [
    ['args', 'text'], ['args', { 0: 'a' }], ['logs', 'text'], ['logs', [7]], ['error.message', 7], ['error.stack', null]
  ] as const) {
    const { redaction, errors } = setUp({ with: (of, kept) => of === field ? value : kept })
    const shown = redaction.execution(toExecution({
      args: ['a'], logs: ['a'], error: { type: 'E', message: 'broken', stack: 'E: at first' }
    }))
    t.match(errors[0]?.message, `field ${field} `)
    t.same(JSON.stringify(shown).split(FAILED).length - 1, 1)
  }
})

t.test('if the function fails for the arguments, other fields are removed because they may contain them', async t => {
  const { redaction } = setUp({ with(field, value) { if (field === 'args') throw new Error('no'); return value } })
  const shown = redaction.execution(toExecution({
    args: ['hunter22!'], result: { a: 'hunter22!' }, logs: ['hunter22!'], error: { type: 'E', message: 'hunter22!', stack: 'E: hunter22!' }
  }))
  t.match(shown, { args: [FAILED], result: X, logs: [X], error: { message: X, stack: X } })
})

t.test('cyclic and very deep values are removed, and nothing throws', async t => {
  const cyclic: Record<string, unknown> = { secret: 'hunter22!' }
  cyclic.self = cyclic
  let deep: unknown = 'hunter22!'
  for (let depth = 0; depth < 100_000; depth++) deep = { a: deep }
  for (const value of [cyclic, deep]) {
    const { redaction, errors } = setUp({ paths: ['args.**.secret', 'result.**.secret'] })
    t.strictSame(redaction.args('login', [value]), [FAILED])
    t.equal(redaction.execution(toExecution({ args: ['a'], result: value })).result, FAILED)
    t.equal(errors.length, 1)
  }
})

t.test('large values are searched in reasonable time', async t => {
  const { redaction } = setUp({ paths: ['args.**.token'] })
  const args = [Array.from({ length: 500 }, (_, index) => ({ token: `secret-${index}-${'x'.repeat(100)}`, other: 'y'.repeat(100) }))]
  const lines = Array.from({ length: 1_000 }, (_, index) => `${'line '.repeat(20)} secret-${index % 500}-${'x'.repeat(100)}`)
  const { logs } = await inTime(t, 'looked through', 5_000, () => redaction.execution(toExecution({ args, logs: lines })))
  t.ok(logs.every(line => line.endsWith(X)))
})

t.test('lists show errors and progress without secrets from the arguments', async t => {
  const { redaction } = setUp({ paths: ['args.0', 'progress.token'] })
  const { args: _a, result: _r, attempts: _t, logs: _l, truncated: _u, ...execution } = toExecution({
    progress: { at: 'hunter22!', token: 'abc' }, error: { type: 'E', message: 'hunter22!', stack: null }
  })
  t.match(redaction.listed(execution, ['hunter22!', 'b']), {
    execution: { executionId: 'e', progress: { at: X, token: X }, error: { type: 'E', message: X, stack: null } }, args: [X, 'b']
  })
  t.match(redaction.listed(execution, null), {
    execution: { progress: { at: 'hunter22!', token: X }, error: { message: 'hunter22!' } }, args: null
  })
})
