import t from 'tap'
import { createEnqueueRequest, DELAY_MAX_MS, ENQUEUED_ARGS_MAX_BYTES } from '../../lib/queue-app/enqueue-request.ts'

const policy = { retries: 2, retryDelay: 1.5 }

t.test('a request carries the retry policy of its task and a fresh id', async t => {
  const request = createEnqueueRequest('email:send', ['ana', 1], { delayMs: 10, priority: 5 }, policy)
  t.match(request, { taskName: 'email:send', args: ['ana', 1], maxAttempts: 3, retryDelayMs: 1500, delayMs: 10, priority: 5, scheduleId: null, retryOf: null })
  t.match(request.executionId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'in order of time')
  t.equal(createEnqueueRequest('email:send', [], { retryOf: request.executionId }, policy).retryOf, request.executionId)
  t.not(createEnqueueRequest('email:send', [], {}, policy).executionId, request.executionId)
})

t.test('arguments are taken as they are when enqueued, as JSON', async t => {
  const date = new Date('2026-11-20T09:00:00Z')
  const changing = { list: [1], left: undefined }
  const request = createEnqueueRequest('a', [date, null, changing, undefined, undefined], {}, policy)
  changing.list.push(2)
  t.strictSame(request.args, ['2026-11-20T09:00:00.000Z', null, { list: [1] }], 'what is undefined arrives as undefined')
})

t.test('what JSON would change is refused, with its place', async t => {
  class Hidden { #secret = 1; get secret() { return this.#secret } }
  const refused: Array<[string, unknown[]]> = [
    ['args[0] is NaN', [NaN]], ['args[1]["price"] is Infinity', ['a', { first: { b: [1] }, price: Infinity }]], ['args[0][2][0] is -Infinity', [[[], {}, [-Infinity]]]],
    ['args[0] is undefined', [undefined, 1]], ['args[0]["list"][1] is undefined', [{ list: [1, undefined] }]], ['args[0][0] is undefined', [new Array(2)]],
    ['args[0] is a bigint', [10n]], ['args[0]["run"] is a function', [{ run() {} }]], ['args[0] is a symbol', [Symbol('a')]],
    ['args[0] is a Map', [new Map([[1, 2]])]], ['args[0]["tags"] is a Set', [{ tags: new Set() }]], ['args[0] is a Promise', [Promise.resolve(1)]],
    ['args[0] is a RegExp', [/a/]], ['args[0] is a TypeError', [new TypeError('lost')]], ['args[0] is a Uint8Array', [new Uint8Array(2)]],
    ['args[0] is a URLSearchParams', [new URLSearchParams('a=1')]], ['args[0] is a Hidden', [new Hidden()]],
    ['args[0] is a date that is none', [new Date(NaN)]], ['args[0] is undefined', [{ toJSON() {} }]], ['not today', [{ toJSON() { throw new Error('not today') } }]]
  ]
  for (const [reason, args] of refused) {
    t.throws(() => createEnqueueRequest('a', args, {}, policy), { code: 'INVALID_ARGUMENTS', message: new RegExp(reason.replace(/[[\]]/g, '\\$&')) }, reason)
  }
})

t.test('what arrives as it was, or as it says itself, is taken', async t => {
  class Point { x = 1; y = undefined }
  const plain = Object.assign(Object.create(null) as object, { a: 1 })
  const taken: Array<[unknown[], unknown[]]> = [
    [[], []], [[undefined], []], [[{ a: undefined }], [{}]], [[{}], [{}]], [[Object.create(null)], [{}]], [[plain], [{ a: 1 }]], [[new Point()], [{ x: 1 }]],
    [[new URL('https://example.com/')], ['https://example.com/']], [[Object(1)], [1]], [[{ toJSON: () => [1] }], [[1]]], [['\ud800', -1.5, true, null], ['\ud800', -1.5, true, null]]
  ]
  for (const [args, arrives] of taken) t.strictSame(createEnqueueRequest('a', args, {}, policy).args, arrives)
  const shared = { a: 1 }
  t.strictSame(createEnqueueRequest('a', [shared, shared], {}, policy).args, [{ a: 1 }, { a: 1 }], 'the same object twice is no cycle')
})

t.test('what cannot be enqueued is refused with the reason', async t => {
  const circular: { self?: unknown } = {}
  circular.self = circular
  const refused: Array<[RegExp, unknown[], object]> = [
    [/JSON/, [circular], {}], [/JSON/, [10n], {}], [/larger than/, ['x'.repeat(ENQUEUED_ARGS_MAX_BYTES)], {}],
    [/unknown option delay$/, [], { delay: 5 }], [/options must be an object/, [], null as unknown as object],
    [/delayMs/, [], { delayMs: -1 }], [/delayMs/, [], { delayMs: DELAY_MAX_MS + 1 }], [/priority/, [], { priority: -1 }], [/priority/, [], { priority: 2_097_152 }],
    [/retryOf/, [], { retryOf: '' }], [/retryOf/, [], { retryOf: 5 }], [/retryOf/, [], { retryOf: 'a\0' }], [/retryOf/, [], { retryOf: 'x'.repeat(201) }]
  ]
  for (const [message, args, options] of refused) {
    t.throws(() => createEnqueueRequest('a', args, options, policy), { code: 'INVALID_ARGUMENTS', message })
  }
  t.throws(() => createEnqueueRequest('a', 'text' as unknown as unknown[], {}, policy), { code: 'INVALID_ARGUMENTS', message: /array/ })
})
