import { createContext, runInContext } from 'node:vm'
import t from 'tap'
import { attemptErrorFromChild, failureFromError, failureFromStack, toAttemptError } from '../../../lib/engine/jobs/attempt-error.ts'

t.test('the causes of an error follow its own frames', async t => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
  const { type, message, stack } = failureFromError(toAttemptError(
    new TypeError('fetch failed', { cause: new RangeError('second', { cause: refused }) })
  ))
  t.strictSame([type, message], ['TypeError', 'fetch failed'])
  t.match(
    stack,
    /^TypeError: fetch failed\n {4}at [^]*\nCaused by: RangeError: second\n {4}at [^]*\nCaused by: Error: connect ECONNREFUSED 127.0.0.1:1\n {4}at /
  )
  t.match(failureFromStack(stack!, message), { type: 'TypeError', message: 'fetch failed' })
  t.match(toAttemptError(new Error('x', { cause: 'a text' })).stack, /\nCaused by: a text$/)
})

t.test('an error without a message shows its code, or the errors it consists of', async t => {
  const inner = ['::1', '127.0.0.1'].map(host => new Error(`connect ECONNREFUSED ${host}:1`))
  t.match(toAttemptError(new AggregateError(inner)), {
    failureType: 'AggregateError', message: 'connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1'
  })
  t.equal(toAttemptError(Object.assign(new Error(''), { code: 'EPIPE' })).message, 'EPIPE')
  t.equal(toAttemptError(new Error('')).message, '')
  t.match(
    toAttemptError(new AggregateError(inner, 'all failed')).stack,
    /^AggregateError: all failed\n {4}at [^]*\nOne of 2: Error: connect ECONNREFUSED ::1:1\n[^]*\nOne of 2: Error: connect ECONNREFUSED 127/
  )
})

t.test('anything with a message counts as an error, whatever created it', async t => {
  const foreign: unknown = runInContext('new RangeError("of another realm")', createContext())
  t.match(toAttemptError(foreign), {
    failureType: 'RangeError', message: 'of another realm', stack: /^RangeError: of another realm\n {4}at /
  })
  t.match(toAttemptError({ name: 'AxiosLike', message: 'no answer', status: 503 }), { failureType: 'AxiosLike', message: 'no answer' })
  t.match(toAttemptError({ status: 503 }), { failureType: 'Error', message: '{"status":503}' })
  t.match(toAttemptError('text'), { failureType: 'Error', message: 'text' })
  t.match(toAttemptError(undefined), { message: 'undefined' })
})

t.test('no thrown value makes the conversion throw', async t => {
  const circular = new Error('around')
  circular.cause = circular
  t.match(toAttemptError(circular).stack, /^Error: around\n/)
  const deep = Array.from({ length: 100 }).reduce((cause: unknown) => new Error('x', { cause }), 'end')
  t.ok(toAttemptError(deep).stack!.length < 21_000)
  const hostile = new Proxy({}, { get() { throw new Error('no') }, has() { throw new Error('no') } })
  t.match(toAttemptError(hostile), { failureType: 'Error', message: 'something was thrown that is not an Error' })
  t.equal(toAttemptError(new Error('x', { cause: hostile })).message, 'x')
})

t.test('stack frames are found after a message of any length', async t => {
  for (const message of [
    '\n'.repeat(1_000_000), 'a line\n    at noon (we met)\n'.repeat(40_000), ' '.repeat(200_000), `at ${'\n\t'.repeat(200_000)}`
  ]) {
    const error = new TypeError(message)
    const { stack } = failureFromError(toAttemptError(new Error('outer', { cause: error })))
    t.match(stack, /^Error: outer\n {4}at [^]*\nCaused by: TypeError: /)
    const behind = error.stack!.slice('TypeError: '.length + message.length)
    const frames = toAttemptError(
      new Error('x', { cause: Object.assign(new Error(''), { name: 'E', message: '', stack: `E${behind}` }) })
    ).stack!
    t.ok(frames.endsWith(behind), 'an empty message hides no frame')
  }
  const rethrown = Object.assign(new Error('before'), { message: 'after' })
  t.match(toAttemptError(rethrown).stack, /^Error: after\n {4}at /, 'the message was changed after the error was made')
  t.match(toAttemptError({ message: 'odd', stack: 7 }).stack, /^Error: odd$/)
})

t.test('an error that only imitates our own type is converted like any other', async t => {
  const forged = Object.assign(new Error('x'), { failureType: 'a\0'.repeat(1_000), message: { a: 1 }, stack: { a: 1 } })
  for (const made of [toAttemptError(forged), attemptErrorFromChild({ ...forged, message: forged.message, stack: forged.stack })]) {
    t.match(made, { failureType: 'Error', message: '{"a":1}', stack: /^Error: \{"a":1\}/ })
    t.equal(toAttemptError(made), made, 'a converted error is not converted again')
  }
  const own = toAttemptError(new RangeError('from the process'))
  const received = attemptErrorFromChild(JSON.parse(JSON.stringify({
    failureType: own.failureType, message: own.message, stack: own.stack
  })))
  t.match(received, { failureType: 'RangeError', message: 'from the process', stack: own.stack })
})

t.test("a handler's error with BullMQ's message for a lost job remains the handler's error", async t => {
  const lost = 'job stalled more than allowable limit'
  t.match(failureFromError(new Error(lost)), { type: 'EXECUTION_LOST' })
  const thrown = toAttemptError(new RangeError(`x: ${lost}`))
  t.match(failureFromError(thrown), { type: 'RangeError', message: `x: ${lost}.` })
  t.match(failureFromStack(thrown.stack, thrown.message), { type: 'RangeError', message: `x: ${lost}.` })
  t.match(failureFromStack(thrown.stack), { type: 'RangeError', message: `x: ${lost}.` })
})

t.test('an error whose stack or cause cannot be read keeps its message', async t => {
  for (const name of ['stack', 'cause', 'errors']) {
    const error = Object.defineProperty(new TypeError('told'), name, { get() { throw new Error('no') } })
    t.match(toAttemptError(error), { failureType: 'TypeError', message: 'told' }, name)
  }
})
