import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { MAX_DELAY_MS } from '../../../schemas/limits.ts'
import { createEnqueueRequest, MAX_ENQUEUED_ARGS_BYTES } from '../../../lib/queue-app/enqueueing/enqueue-request.ts'

const policy = { retries: 2, backoff: fixedDelay(1500) }

t.test("a request carries its task's retry policy and a fresh id", async t => {
  const request = createEnqueueRequest('email:send', ['ana', 1], { delayMs: 10, priority: 5 }, policy)
  t.match(request, {
    taskName: 'email:send', args: ['ana', 1], maxAttempts: 3, backoff: fixedDelay(1500), delayMs: 10, priority: 5, scheduleId: null,
    retryOf: null
  })
  t.match(request.executionId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'in time order')
  t.equal(createEnqueueRequest('email:send', [], { retryOf: request.executionId }, policy).retryOf, request.executionId)
  t.not(createEnqueueRequest('email:send', [], {}, policy).executionId, request.executionId)
})

t.test('a request can override the retry policy in full or in part', async t => {
  const exponential = { type: 'exponential', delayMs: 100, maxDelayMs: 5_000, jitter: 0.5 } as const
  t.match(createEnqueueRequest('a', [], { retries: 0 }, policy), { maxAttempts: 1, backoff: policy.backoff })
  t.match(createEnqueueRequest('a', [], { backoff: exponential }, policy), { maxAttempts: 3, backoff: exponential })
  t.match(createEnqueueRequest('a', [], { retries: 100, retryDelayMs: 0 }, policy), { maxAttempts: 101, backoff: fixedDelay(0) })
})

t.test('arguments are copied as JSON when they are enqueued', async t => {
  const changing = { list: [1], left: undefined }
  const request = createEnqueueRequest('a', [null, changing, undefined, undefined], {}, policy)
  changing.list.push(2)
  t.strictSame(request.args, [null, { list: [1] }], 'trailing undefined arguments stay undefined')
})

t.test('arguments that JSON would change are refused with their path', async t => {
  const refused: Array<[string, unknown[]]> = [
    ['Invalid arguments: args[0] is a Date, which JSON turns into a string: use its ISO string or milliseconds', [new Date()]],
    [
      'Invalid arguments: args[1].order["first item"][2].tags is a Map, which JSON drops',
      ['a', { order: { 'first item': [1, {}, { tags: new Map([[1, 2]]) }] } }]
    ]
  ]
  for (const [start, args] of refused) {
    const error = t.throws(() => createEnqueueRequest('a', args, {}, policy), { code: 'INVALID_ARGUMENTS' }) as unknown as Error
    t.equal(error.message.slice(0, start.length), start)
  }
  t.throws(() => createEnqueueRequest('a', [1, { to: NaN }], {}, policy, 'argsOfEach[7]'), {
    message: 'Invalid arguments: argsOfEach[7][1].to is NaN, which JSON does not have: use null or a string'
  })
})

t.test('invalid arguments and options are refused with the reason', async t => {
  const circular: { self?: unknown } = {}
  circular.self = circular
  const refused: Array<[RegExp, unknown[], object]> = [
    [/args\[0\]\.self is circular/, [circular], {}], [/args\[0\] is a bigint/, [10n], {}],
    [/args is larger than/, ['x'.repeat(MAX_ENQUEUED_ARGS_BYTES)], {}],
    [/unknown option delay$/, [], { delay: 5 }], [/options must be an object/, [], null as unknown as object],
    [/delayMs/, [], { delayMs: -1 }], [/delayMs/, [], { delayMs: MAX_DELAY_MS + 1 }], [/priority/, [], { priority: -1 }],
    [/priority/, [], { priority: 2_097_152 }],
    [/retries must be an integer from 0 to 100; backoff\.jitter/, [], { retries: 101, backoff: { type: 'fixed', delayMs: 0, jitter: 2 } }],
    [/retryDelayMs and backoff set the same thing/, [], { retryDelayMs: 5, backoff: { type: 'fixed', delayMs: 0 } }],
    [/unknown option retryDelay$/, [], { retryDelay: 5 }],
    [/retryOf/, [], { retryOf: '' }], [/retryOf/, [], { retryOf: 5 }], [/retryOf/, [], { retryOf: 'a\0' }],
    [/retryOf/, [], { retryOf: 'x'.repeat(201) }]
  ]
  for (const [message, args, options] of refused) {
    t.throws(() => createEnqueueRequest('a', args, options, policy), { code: 'INVALID_ARGUMENTS', message })
  }
  for (const [message, args] of [
    [/args is a string: it must be an array, the positional arguments of the handler$/, 'text'],
    [/args is null: it must be an array/, null], [/args is an object:/, {}],
    [/args is a Promise: await it$/, Promise.resolve([])]
  ] as const) {
    t.throws(() => createEnqueueRequest('a', args as unknown as unknown[], {}, policy), { code: 'INVALID_ARGUMENTS', message })
  }
  t.throws(() =>
    createEnqueueRequest('a', [], Promise.resolve({}) as object, policy),
  { code: 'INVALID_ARGUMENTS', message: /options is a Promise: await it/ })
})
