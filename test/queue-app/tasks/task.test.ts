import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { createRegisteredTask, taskNameProblem } from '../../../lib/queue-app/tasks/task.ts'

t.test('a task name is any printable text of 1 to 100 characters', async t => {
  for (const name of [
    'email:send', 'reports/daily', '日報', 'sync inventory', '👩‍💻 deploy', 'a', '日'.repeat(100), '</script>', '...', '%2F', '{tag}', '~'
  ]) {
    t.equal(taskNameProblem(name), null, JSON.stringify(name))
  }
  for (const name of ['', 'a'.repeat(101), 'line\nbreak', 'nul\0', '\ud800', 'line\u2028separator', '.', '..', 7, undefined]) {
    t.throws(
      () => createRegisteredTask(name as string, () => {}), { code: 'INVALID_TASK' },
      `refuses ${encodeURI(JSON.stringify(name) ?? 'undefined')}`
    )
  }
})

t.test('task options have defaults and limits', async t => {
  const handler = () => {}
  t.same(createRegisteredTask('a', handler).settings, {
    type: 'io', retries: 0, backoff: fixedDelay(0), timeoutMs: null, concurrency: 10, rateLimit: null, description: null
  })
  t.same(createRegisteredTask('a', new URL(import.meta.url), {
    type: 'cpu', retries: 3, retryDelay: 0.5, timeoutMs: 1000, description: 'd'
  }).settings,
  { type: 'cpu', retries: 3, backoff: fixedDelay(500), timeoutMs: 1000, concurrency: 1, rateLimit: null, description: 'd' })
  const refused: Array<[string, object]> = [
    ['retries', { retries: -1 }], ['retries', { retries: 1.5 }], ['retries', { retries: 101 }], ['retryDelay', { retryDelay: Number.NaN }],
    ['rateLimit.max', { rateLimit: { max: 0, durationMs: 1 } }], ['rateLimit.durationMs must', { rateLimit: { max: 1 } }],
    ['rateLimit must', { rateLimit: 5 }], ['rateLimit.duration is', { rateLimit: { max: 1, durationMs: 1, duration: 1 } }],
    ['timeoutMs', { timeoutMs: 0 }], ['concurrency', { concurrency: 0 }], ['concurrency', { concurrency: 1001 }],
    ['type', { type: 'external' }],
    ['description', { description: 'x'.repeat(1001) }], ['options must be', null as unknown as object],
    ['unknown option retry', { retry: 3 }], ['options must be', []]
  ]
  for (const [problem, options] of refused) {
    t.throws(
      () => createRegisteredTask('a', handler, options), { code: 'INVALID_TASK', message: new RegExp(problem) }, JSON.stringify(options)
    )
  }
})

t.test('the handler must fit the type of its task', async t => {
  t.throws(() => createRegisteredTask('a', () => {}, { type: 'cpu' }), { code: 'INVALID_TASK', message: /module/ })
  t.throws(() => createRegisteredTask('a', new URL('https://example.com/handler.js'), { type: 'cpu' }), { code: 'INVALID_TASK' })
  const wrong = {
    './none.js': /its module .+none\.js does not exist$/, '.': /its module .+ is not a file$/,
    './a%2Fb.js': /its module file:.+ cannot be read/
  }
  for (const [path, message] of Object.entries(wrong)) {
    t.throws(() => createRegisteredTask('a', new URL(path, import.meta.url), { type: 'cpu' }), { code: 'INVALID_TASK', message })
  }
  t.ok(
    createRegisteredTask('a', new URL('./task.test.js', import.meta.url), { type: 'cpu' }),
    'a loader finds the TypeScript source of a .js name'
  )
  t.throws(() => createRegisteredTask('a', new URL('file:///handler.js')), { code: 'INVALID_TASK' })
  t.throws(() => createRegisteredTask('a', undefined), { code: 'INVALID_TASK' })
})

t.test('all problems of a task are in one error', async t => {
  t.throws(() =>
    createRegisteredTask('line\nbreak', 'handler', {
      retry: 3, type: 'gpu', retries: -1, retryDelay: '5', timeoutMs: 0.5, concurrency: 0, description: 7
    } as object),
  {
    code: 'INVALID_TASK',
    message: 'Task "line\\nbreak": the name has unprintable characters; unknown option retry; type must be "io" or "cpu"; ' +
      'retries must be an integer from 0 to 100; ' +
      'retryDelay (seconds) must be a number from 0 to 86400; timeoutMs must be an integer; concurrency must be from 1 to 1000; ' +
      'description must be a string of at most 1,000 characters; the handler must be a function (a module URL is for tasks of type "cpu")'
  })
})

t.test('settings that task() omits come from the declaration, and those it gives win', async t => {
  const declared = { retries: 3, retryDelay: 5, concurrency: 2 }
  const settings = { retries: 3, backoff: fixedDelay(5_000), concurrency: 2 }
  t.match(createRegisteredTask('a', () => {}, {}, declared).settings, settings)
  t.match(
    createRegisteredTask('a', () => {}, { retries: undefined, concurrency: 7 } as object, declared).settings,
    { ...settings, concurrency: 7 }
  )
  t.match(
    createRegisteredTask('a', () => {}, { retryDelayMs: 100 }, declared).settings, { ...settings, backoff: fixedDelay(100) },
    'another way to give the delay replaces the declared one'
  )
  t.match(createRegisteredTask('a', new URL(import.meta.url), {}, { type: 'cpu' }).settings, { type: 'cpu', concurrency: 1 })
})
