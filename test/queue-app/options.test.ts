import { inspect } from 'node:util'
import t from 'tap'
import { resolveQueueAppOptions } from '../../lib/queue-app/options.ts'
import { resolveObserveOptions } from '../../lib/queue-app/observing/resolve-observe-options.ts'
import { QueueApp } from '../../lib/queue-app/queue-app.ts'
import { waitFor } from '../support/wait-for.ts'

t.test('options have defaults and are frozen', async t => {
  const options = resolveQueueAppOptions()
  t.match(options, { broker: 'embedded:', backend: 'embedded:', namespace: 'tasks', stopGraceMs: 10_000 })
  t.ok(Object.isFrozen(options))
  t.equal(resolveQueueAppOptions({ broker: 'redis://localhost' }).backend, 'redis://localhost')
})

t.test('background errors are passed on without the failed command, which holds arguments', async t => {
  const told: Error[] = []
  const { onError } = resolveQueueAppOptions({ onError: error => { told.push(error) } })
  const reply = Object.assign(new Error('OOM'), { command: { name: 'evalsha', args: ['hunter22'] } })
  const onNode = Object.assign(new Error('None of startup nodes is available'), {
    lastNodeError: Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['hunter22'] } })
  })
  const error = new Error('away', { cause: new Error('inner', { cause: Object.assign(onNode, { cause: reply }) }) })
  reply.cause = error
  onError(error)
  t.equal(told[0], error)
  t.notMatch(inspect(error, { depth: 10 }), /hunter22/)
})

t.test('an onError callback that throws or rejects causes a warning and does not end the process', async t => {
  const warnings: Error[] = []
  const listen = (warning: Error): void => { if (warning.message === 'onError failed') warnings.push(warning) }
  process.on('warning', listen)
  t.teardown(() => { process.off('warning', listen) })
  // oxlint-disable-next-line typescript/only-throw-error
  for (const onError of [() => { throw undefined }, () => { throw new Error('x') }, async () => { throw new Error('x') }]) {
    // oxlint-disable-next-line typescript/no-misused-promises
    resolveQueueAppOptions({ onError }).onError(new Error('away'))
  }
  await waitFor('the warnings', async () => warnings.length === 3)
})

t.test('without onError, background errors become warnings with an explanation', async t => {
  const warnings: Error[] = []
  const listen = (warning: Error): void => { warnings.push(warning) }
  process.on('warning', listen)
  t.teardown(() => { process.off('warning', listen) })
  const { onError } = resolveQueueAppOptions()
  onError(new Error('Command timed out'))
  onError(new Error('of our own'))
  await waitFor('the warnings', async () => warnings.length === 2)
  t.match(warnings, [
    { name: 'TaskDashboardWarning', message: 'A background request to a datastore failed and will be retried: Command timed out' },
    { name: 'TaskDashboardWarning', message: 'of our own' }
  ])
})

t.test('declared tasks are checked, and each problem names its task', async t => {
  const tasks = {
    'email:send': { retries: -1, retry: 3 }, '.': {}, constructor: { retries: 2 }, sync: null
  } as unknown as Record<string, object>
  t.throws(() => resolveQueueAppOptions({ tasks }), {
    code: 'INVALID_OPTIONS',
    message: 'Invalid options: tasks["email:send"]: unknown option retry; tasks["email:send"]: retries must be an integer from 0 to 100; ' +
      'tasks["."]: the name cannot be "." or "..", because URLs drop such a segment; tasks["sync"]: options must be an object'
  })
  for (const wrong of [['email:send'], 'email:send', null])
    t.throws(() => resolveQueueAppOptions({ tasks: wrong as never }), { message: /tasks must be an object/ })
})

t.test('undefined options are refused, because a variable may be unset', async t => {
  t.throws(() => QueueApp.fromUrls(undefined), { code: 'INVALID_OPTIONS', message: /the options are undefined/ })
  t.ok(QueueApp.fromUrls())
})

t.test('all problems are listed in one error', async t => {
  const options = { broker: 7, namespace: 'Über', stopGraceMs: -1, onError: 'log', brokerUrl: 'redis://localhost' } as unknown as object
  t.throws(() => resolveQueueAppOptions(options), {
    code: 'INVALID_OPTIONS', message: /brokerUrl is not an option.*broker must be.*namespace.*stopGraceMs.*onError/
  })
})

t.test('an empty option is refused only where its default would do harm', async t => {
  for (const value of [undefined, null, ''] as unknown as string[]) {
    const shown = value === '' ? 'empty' : String(value)
    const options = { broker: value, backend: value, namespace: value, redact: value } as unknown as object
    t.throws(() => resolveQueueAppOptions(options), { code: 'INVALID_OPTIONS', message: `Invalid options: ${[
      `broker is ${shown} (is an environment variable not set?): give it a value, or leave it out for the embedded store, which is ` +
        'kept in memory and by this process alone',
      `backend is ${shown} (is an environment variable not set?): give it a value, or leave it out for the store of the broker`,
      `namespace is ${shown} (is an environment variable not set?): give it a value, or leave it out for the namespace "tasks"`,
      `redact is ${shown} (is an environment variable not set?): give it a value, or leave it out for no redaction`
    ].join('; ')}` })
    t.throws(() => resolveQueueAppOptions({ broker: 'redis://localhost', backend: value }), { message: /^Invalid options: backend is/ })
    t.throws(
      () => resolveQueueAppOptions({ redact: { paths: value as unknown as string[], with: value as never } }),
      { message: /^Invalid options: redact\.paths is .*redact\.with is/ }
    )
  }
  t.match(resolveQueueAppOptions({ retention: undefined, stopGraceMs: undefined, onError: undefined } as object), { stopGraceMs: 10_000 })
  for (const wrong of [null, []]) {
    t.throws(() => resolveQueueAppOptions(wrong as never), { code: 'INVALID_OPTIONS', message: /options must be an object/ })
    t.throws(() => QueueApp.fromUrls(wrong as never), { code: 'INVALID_OPTIONS', message: /options must be an object/ })
    t.throws(() => resolveObserveOptions(wrong as never), { code: 'INVALID_OPTIONS', message: /options must be an object/ })
  }
})

t.test('retention is checked field by field', async t => {
  t.strictSame(resolveQueueAppOptions({ retention: { failed: { days: 0.5, count: 10 } } }).retention, { failed: { days: 0.5, count: 10 } })
  for (const [retention, message] of [
    [7, /retention must be an object/],
    [[], /retention must be an object/],
    [{ failures: {} }, /retention.failures is not an option/],
    [{ failed: 7 }, /retention.failed must be an object/],
    [{ failed: [] }, /retention.failed must be an object/],
    [{ failed: { weeks: 1 } }, /retention.failed.weeks is not an option/],
    [{ success: { argsBytes: 100_000 } }, /retention.success.argsBytes is not an option/],
    [{ failed: { argsBytes: 65_535 } }, /retention.failed.argsBytes must be an integer from 65536 to 524288/],
    [{ failed: { argsBytes: 524_289 } }, /retention.failed.argsBytes must be/],
    [{ failed: { argsBytes: 70_000.5 } }, /retention.failed.argsBytes must be/],
    [{ failed: { argsBytes: '70000' } }, /retention.failed.argsBytes must be/],
    [{ success: { days: 0 } }, /retention.success.days must be a number from 0.01 to 36500/],
    [{ success: { days: NaN } }, /retention.success.days/],
    [{ success: { count: 1.5 } }, /retention.success.count must be an integer from 1 to 1000000000/],
    [{ success: { count: '7' } }, /retention.success.count/]
  ] as const) t.throws(() => resolveQueueAppOptions({ retention } as unknown as object), { code: 'INVALID_OPTIONS', message })
})

t.test('redact is checked path by path', async t => {
  const redact = { paths: ['args.password', 'logs'], with: (_field: string, value: unknown) => value }
  t.equal(resolveQueueAppOptions({ redact }).redact, redact)
  for (const [redact, message] of [
    [7, /redact must be an object/],
    [[], /redact must be an object/],
    [null, /redact is null/],
    [{ path: [] }, /redact.path is not an option/],
    [{ paths: 'args' }, /redact.paths must be an array/],
    [{ paths: ['args', 'password', 7] }, /redact.paths: "password" is not a path; redact.paths: 7 is not a path/],
    [{ paths: ['args[0]'] }, /"args\[0\]" is not a path/],
    [{ with: 'mask' }, /redact.with must be a function/]
  ] as const) t.throws(() => resolveQueueAppOptions({ redact } as unknown as object), { code: 'INVALID_OPTIONS', message })
})
