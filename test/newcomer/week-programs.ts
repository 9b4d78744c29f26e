/** What a newcomer writes in the first week from the documentation: files of a project with the package installed. */
export const PROJECT: Readonly<Record<string, string>> = {
  // The web process declares the task but does not run it.
  'web.js': `
import Fastify from 'fastify'
import { QueueApp, dashboardPlugin } from 'fastify-task-dashboard'

const queueApp = QueueApp.fromUrls({ broker: process.env.REDIS_URL, tasks: { 'order:ship': { retries: 2 } } })
const fastify = Fastify()
fastify.addHook('onClose', () => queueApp.stop())
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => fastify.close())
await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp })
fastify.post('/orders', async (request, reply) => {
  return reply.code(202).send({ executionId: await queueApp.enqueue('order:ship', [request.body.order]) })
})
await queueApp.start()
console.log(await fastify.listen({ port: 0, host: '127.0.0.1' }))
`,

  // Each line of the tally is an event of one order. A long order ends only when the test allows it.
  'worker.js': `
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { QueueApp, currentExecution } from 'fastify-task-dashboard'

const tally = (order, what) => appendFileSync(process.env.TALLY, order + ' ' + what + '\\n')
const queueApp = QueueApp.fromUrls({ broker: process.env.REDIS_URL, stopGraceMs: 300 })
queueApp.task('order:ship', async order => {
  const { signal } = currentExecution()
  tally(order, 'begun')
  try {
    do await setTimeout(50, undefined, { signal })
    while (order.startsWith('long') && !existsSync(process.env.TALLY + '.release'))
  } catch (error) {
    tally(order, 'stopped')
    throw error
  }
  tally(order, 'done')
  return order
}, { retries: 2, concurrency: 3 })
queueApp.task('ping', () => 'pong')
const running = queueApp.run()
const id = setInterval(() => { if (queueApp.isStarted) { console.log('started'); clearInterval(id) } }, 20)
await running
clearInterval(id)
`,

  'mistakes.js': `
import Fastify from 'fastify'
import { QueueApp, createBlueprint, dashboardPlugin } from 'fastify-task-dashboard'

const seen = {}
const make = async (mistake, act) => {
  try {
    await act()
    seen[mistake] = { code: null, message: 'no error' }
  } catch ({ code, message, statusCode }) {
    seen[mistake] = { code, message, statusCode }
  }
}
const broker = process.env.REDIS_URL
const namespace = 'mistakes'
const open = () => QueueApp.fromUrls({ broker, namespace })

await make('a variable that is not set', () => QueueApp.fromUrls({ broker: process.env.REDIS_URI }))
await make('an unknown option', () => QueueApp.fromUrls({ brokerUrl: broker }))
await make('a misspelt scheme', () => QueueApp.fromUrls({ broker: 'reddis://localhost:6379' }))
await make('the wrong port', () => QueueApp.fromUrls({ broker: 'redis://127.0.0.1:1' }).start())

const queueApp = open()
const greet = queueApp.task('greet', async name => 'Hello ' + name)
queueApp.task('count', () => 10n)
const scheduler = queueApp.createScheduler()
await make('the same task twice', () => queueApp.task('greet', () => {}))
await make('an unknown option of a task', () => queueApp.task('other', () => {}, { retry: 3 }))
await make('a cpu task without its module', () => queueApp.task('report', new URL('./report.js', import.meta.url), { type: 'cpu' }))
await make('enqueued before the start', () => queueApp.enqueue(greet, ['Ana']))
await queueApp.start()
await queueApp.start()
await make('a misspelt task', () => queueApp.enqueue('gret', ['Ana']))
await make('a map as argument', () => queueApp.enqueue(greet, [new Map([['name', 'Ana']])]))
await make('a promise for an id', () => queueApp.result(queueApp.enqueue(greet, ['Ana'])))
await make('an id that is undefined', () => queueApp.result(undefined))
await make('a wrong cron expression', () => scheduler.scheduleCron('greet', '61 * * * *', 'Never', { args: ['Ana'] }))
await make('a schedule with an unknown option', () =>
  scheduler.scheduleCron('greet', '0 9 * * *', 'Daily', { args: ['Ana'], tz: 'Europe/Berlin' }))
const counted = await queueApp.result(await queueApp.enqueue('count'), { waitMs: 60_000 })

const mount = async options => { await Fastify().register(dashboardPlugin, { prefix: '/tasks', queueApp, ...options }) }
await make('a password that is not set', () => mount({ auth: { username: 'ana', password: process.env.DASHBOARD_PASWORD } }))
await make('an unknown option of the dashboard', () => mount({ readonly: true }))
await make('a host with a prefix that is not set', () => createBlueprint(queueApp, { prefix: process.env.PREFIX, access: 'local' }))
const fastify = Fastify()
await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp })
const ask = async request => (await fastify.inject(request)).json()
const { status: statusCode, code, detail: message } = await ask({ url: '/tasks/api/stats', remoteAddress: '192.0.2.7' })
seen['no access for somebody else'] = { statusCode, code, message }
const unknown = await ask('/tasks/api/stat')
seen['a wrong address'] = { statusCode: unknown.status, code: unknown.code, message: unknown.detail }
await fastify.close()

await queueApp.stop()
await make('started after it was stopped', () => queueApp.start())
console.log(JSON.stringify({ seen, counted }))
`
}

/** The code for each mistake in `mistakes.js`, and what its message must name. */
export const MISTAKES: Readonly<Record<string, readonly [code: string, names: RegExp]>> = {
  'a variable that is not set': ['INVALID_OPTIONS', /broker is undefined.*environment variable.*leave it out/],
  'an unknown option': ['INVALID_OPTIONS', /brokerUrl is not an option/],
  'a misspelt scheme': ['UNKNOWN_URL_SCHEME', /"reddis:".*redis:/],
  'the wrong port': ['STORE_UNREACHABLE', /redis:\/\/127\.0\.0\.1:1/],
  'the same task twice': ['DUPLICATE_TASK', /"greet"/],
  'an unknown option of a task': ['INVALID_TASK', /"other".*retry/],
  'a cpu task without its module': ['INVALID_TASK', /"report".*report\.js does not exist/],
  'enqueued before the start': ['NOT_STARTED', /start\(\)/],
  'a misspelt task': ['TASK_NOT_REGISTERED', /"gret"/],
  'a map as argument': ['INVALID_ARGUMENTS', /Map/],
  'a promise for an id': ['INVALID_ARGUMENTS', /id/],
  'an id that is undefined': ['INVALID_ARGUMENTS', /id/],
  'a wrong cron expression': ['INVALID_CRON', /"61 \* \* \* \*".*61/],
  'a schedule with an unknown option': ['INVALID_SCHEDULE', /tz/],
  'a password that is not set': ['INVALID_OPTIONS', /auth\.password is undefined/],
  'an unknown option of the dashboard': ['INVALID_OPTIONS', /readonly is not an option/],
  'a host with a prefix that is not set': ['INVALID_OPTIONS', /prefix is undefined/],
  'no access for somebody else': ['NOT_LOCAL', /auth: \{ username, password \}/],
  'a wrong address': ['NOT_FOUND', /./],
  'started after it was stopped': ['ALREADY_STOPPED', /QueueApp\.fromUrls/]
}
