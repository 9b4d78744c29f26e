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
  const changing = { list: [1] }
  const request = createEnqueueRequest('a', [date, undefined, changing], {}, policy)
  changing.list.push(2)
  t.same(request.args, ['2026-11-20T09:00:00.000Z', null, { list: [1] }])
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
