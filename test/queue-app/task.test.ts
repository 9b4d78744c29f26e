import t from 'tap'
import { fixedDelay } from '../../lib/backoff.ts'
import { assertTaskName, createRegisteredTask } from '../../lib/queue-app/task.ts'

t.test('task names are any printable text of 1 to 100 characters', async t => {
  for (const name of ['email:send', 'reports/daily', '日報', 'sync inventory', '👩‍💻 deploy', 'a', '日'.repeat(100), '</script>', '...', '%2F', '{tag}', '~']) {
    t.doesNotThrow(() => assertTaskName(name), JSON.stringify(name))
  }
  for (const name of ['', 'a'.repeat(101), 'line\nbreak', 'nul\0', '\ud800', 'line\u2028separator', '.', '..', 7, undefined]) {
    t.throws(() => assertTaskName(name), { code: 'INVALID_TASK' }, `refuses ${encodeURI(JSON.stringify(name) ?? 'undefined')}`)
  }
})

t.test('task options have defaults and bounds', async t => {
  const handler = () => {}
  t.same(createRegisteredTask('a', handler).settings, { type: 'io', retries: 0, backoff: fixedDelay(0), timeoutMs: null, concurrency: 10, rateLimit: null, description: null })
  t.same(createRegisteredTask('a', new URL(import.meta.url), { type: 'cpu', retries: 3, retryDelay: 0.5, timeoutMs: 1000, description: 'd' }).settings,
    { type: 'cpu', retries: 3, backoff: fixedDelay(500), timeoutMs: 1000, concurrency: 1, rateLimit: null, description: 'd' })
  const refused: Array<[string, object]> = [
    ['retries', { retries: -1 }], ['retries', { retries: 1.5 }], ['retries', { retries: 101 }], ['retryDelay', { retryDelay: Number.NaN }],
    ['rateLimit.max', { rateLimit: { max: 0, durationMs: 1 } }], ['rateLimit.durationMs must', { rateLimit: { max: 1 } }], ['rateLimit must', { rateLimit: 5 }], ['rateLimit.duration is', { rateLimit: { max: 1, durationMs: 1, duration: 1 } }],
    ['timeoutMs', { timeoutMs: 0 }], ['concurrency', { concurrency: 0 }], ['concurrency', { concurrency: 1001 }], ['type', { type: 'external' }],
    ['description', { description: 'x'.repeat(1001) }], ['options must be', null as unknown as object], ['unknown option retry', { retry: 3 }]
  ]
  for (const [problem, options] of refused) {
    t.throws(() => createRegisteredTask('a', handler, options), { code: 'INVALID_TASK', message: new RegExp(problem) }, JSON.stringify(options))
  }
})

t.test('a handler fits the type of its task', async t => {
  t.throws(() => createRegisteredTask('a', () => {}, { type: 'cpu' }), { code: 'INVALID_TASK', message: /module/ })
  t.throws(() => createRegisteredTask('a', new URL('https://example.com/handler.js'), { type: 'cpu' }), { code: 'INVALID_TASK' })
  const wrong = { './none.js': /its module .+none\.js does not exist$/, '.': /its module .+ is not a file$/, './a%2Fb.js': /its module file:.+ cannot be read/ }
  for (const [path, message] of Object.entries(wrong)) {
    t.throws(() => createRegisteredTask('a', new URL(path, import.meta.url), { type: 'cpu' }), { code: 'INVALID_TASK', message })
  }
  t.ok(createRegisteredTask('a', new URL('./task.test.js', import.meta.url), { type: 'cpu' }), 'a loader finds TypeScript by the name of what is built of it')
  t.throws(() => createRegisteredTask('a', new URL('file:///handler.js')), { code: 'INVALID_TASK' })
  t.throws(() => createRegisteredTask('a', undefined), { code: 'INVALID_TASK' })
})
