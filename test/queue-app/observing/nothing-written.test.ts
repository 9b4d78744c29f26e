import fastify from 'fastify'
import { Cluster, Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp, type ObserveOptions, type QueuesToObserve } from '../../../lib/index.ts'
import { READ_COMMANDS } from '../../../lib/stores/redis/observing/read-commands.ts'
import type { Task } from '../../../schemas/task.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import { openQueue, startOwnersWorker, type Major } from '../../support/programs/owners-of-queues.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Every key of the servers with its content and expiry. */
async function dump(servers: readonly TestServer[]): Promise<Map<string, string>> {
  const values = await Promise.all(servers.map(async ({ url, port }) => {
    const redis = new Redis(url)
    const keys = (await redis.keys('*')).sort()
    const ofServer = await Promise.all(keys.map(async key => [`${port} ${key}`,
      `${String((await redis.dumpBuffer(key))?.toString('hex'))} ${String(await redis.pexpiretime(key))}`] as const))
    redis.disconnect()
    return ofServer
  }))
  return new Map(values.flat())
}

/** All commands that clients send to the servers, until `end`. */
async function watch(servers: readonly TestServer[]) {
  const sent: string[][] = []
  const monitors = await Promise.all(servers.map(async ({ url }) => {
    const redis = new Redis(url)
    const monitor = await redis.monitor()
    redis.disconnect()
    return monitor.on('monitor', (_time: string, command: string[]) => { sent.push(command) })
  }))
  return { sent, end() { for (const monitor of monitors) monitor.disconnect() } }
}

/** Commands for the connection itself. None of these touches a key. */
const OF_CONNECTIONS = ['hello', 'client', 'select', 'info', 'auth', 'monitor', 'cluster', 'ping', 'quit']

interface Deployment {
  readonly servers: readonly TestServer[]
  /** The name has braces because the keys of a queue would otherwise spread over the nodes of a cluster. */
  readonly name: string
  readonly options: object
}

const DEPLOYMENTS: ReadonlyArray<readonly [what: string, major: Major, start: (t: Test) => Promise<Deployment>]> = [
  ['a server of BullMQ 5', 5, startOne],
  ['a server of BullMQ 6', 6, startOne],
  ['a Redis Cluster of BullMQ 6', 6, async t => {
    const servers = await startRedisCluster(t)
    const connection = new Cluster([{ host: '127.0.0.1', port: servers[0]!.port }], { redisOptions: { maxRetriesPerRequest: null } })
    connection.on('error', () => {})
    t.teardown(() => { connection.disconnect() })
    return { servers, name: '{emails}', options: { connection } }
  }]
]

async function startOne(t: Test): Promise<Deployment> {
  return { servers: [await startRedis(t)], name: 'emails', options: {} }
}

for (const [what, major, start] of DEPLOYMENTS) {
  t.test(`nothing is written to ${what}: every key is the same before, while and after it is observed`, async t => {
    const { servers, name: queueName, options: connecting } = await start(t)
    const { url } = servers[0]!
    await fill(t, major, queueName, url, connecting)
    const queue = openQueue(t, major, queueName, url, { ...connecting, skipMetasUpdate: true })
    await queue.waitUntilReady()
    const before = await dump(servers)
    const sources: Array<[string, QueuesToObserve, ObserveOptions]> = [
      ['every queue under a prefix', { broker: url }, {}],
      ['a queue of BullMQ', [queue], {}]
    ]
    for (const [name, source, options] of sources) {
      const { sent, end } = await watch(servers)
      const queueApp = QueueApp.fromQueues(source, { onError: error => t.fail(error.message), ...options })
      await queueApp.start()
      const app = fastify()
      await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
      const read = async <Body>(path: string) => (await app.inject(`/tasks/api${path}`)).json<Body>()
      const [task] = await waitFor('the history', async () => {
        const tasks = await read<Task[]>('/tasks')
        return tasks.some(each => each.executions.success > 0 && each.executions.failed > 0) && tasks
      })
      const { items } = await read<ExecutionPage>('/executions?limit=200')
      t.ok(items.length > 5, `${name}: ${items.length} executions`)
      const addresses = [
        '', '/', '/executions', '/schedules', '/workers', '/tasks', '/failures',
        ...addressesOf(await read('/openapi.json'), task!.name, items)
      ]
      for (const address of addresses) {
        const { statusCode } = await app.inject(`/tasks${address}`)
        t.ok(statusCode < 500, `${address} answers ${statusCode}`)
      }
      await new Promise(resolve => { setTimeout(resolve, 500) })
      t.same(diffOf(before, await dump(servers)), [], `${name}: no key differs while it is observed`)
      await app.close()
      await queueApp.stop()
      end()
      t.same(diffOf(before, await dump(servers)), [], `${name}: no key differs afterwards`)
      // The dumps of this test use KEYS, DUMP and PEXPIRETIME.
      const ours = ['keys', 'dump', 'pexpiretime']
      const allowed = new Set([...READ_COMMANDS.map(command => command.toLowerCase()), 'eval_ro', ...OF_CONNECTIONS, ...ours])
      t.same([...new Set(sent.map(([command]) => command!.toLowerCase()))].filter(command => !allowed.has(command)), [],
        `${name}: every command reads`)
      t.ok(sent.length > 100, `${sent.length} commands were seen`)
    }
  })
}

t.test('with `manage: true`, reading writes nothing, and each change writes only to its queue', async t => {
  const server = await startRedis(t)
  const { url } = server
  for (const name of ['emails', 'invoices']) await fill(t, 6, name, url, {})
  const before = await dump([server])
  const { sent, end } = await watch([server])
  t.teardown(end)
  const queueApp = QueueApp.fromQueues({ broker: url }, { manage: true, names: false, onError: error => t.fail(error.message) })
  t.teardown(() => queueApp.stop())
  await queueApp.start()
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  const read = async <Body>(path: string) => (await app.inject(`/tasks/api${path}`)).json<Body>()
  await waitFor('the history', async () => {
    const tasks = await read<Task[]>('/tasks')
    return tasks.length === 2 && tasks.every(({ executions }) => executions.success + executions.failed === 10)
  })
  const { items } = await read<ExecutionPage>('/executions?limit=200&task_name=emails')
  const schedules = await read<Array<{ schedule_id: string; task_name: string }>>('/schedules')
  for (const address of addressesOf(await read('/openapi.json'), 'emails', items)) await app.inject(`/tasks${address}`)
  t.same(diffOf(before, await dump([server])), [], 'no key differs after everything was read')
  t.same(sent.filter(([command]) => /^eval(?:sha)?$/i.test(command!)), [], 'no script was sent that may write')

  const idOf = (status: string) => items.find(each => each.status === status)!.execution_id
  const pending = items.filter(({ status }) => status === 'pending').map(({ execution_id: id }) => id)
  const schedule = schedules.find(({ task_name: task }) => task === 'emails')!.schedule_id
  const { operations } = queueApp
  const changes: Record<string, () => Promise<unknown>> = {
    resume: () => operations.resumeQueue('emails'),
    pause: () => operations.pauseQueue('emails'),
    retry: () => operations.retryExecution(idOf('failed')),
    priority: () => operations.updateExecution(pending[0]!, { priority: 9 }),
    cancel: () => operations.cancelExecution(pending[0]!),
    disable: () => operations.setScheduleEnabled(schedule, false),
    enable: () => operations.setScheduleEnabled(schedule, true),
    run: () => operations.runSchedule(schedule)
  }
  for (const [name, change] of Object.entries(changes)) {
    const earlier = await dump([server])
    sent.length = 0
    await change()
    const changed = diffOf(earlier, await dump([server]))
    t.not(changed.length, 0, `${name} changes something`)
    t.same(changed.filter(key => !key.includes(' bull:emails:')), [], `${name} changes only its queue`)
    await waitFor(`the script of ${name}`, async () => sent.some(([command]) => /^eval$/i.test(command!)))
  }
})

/** Jobs in every state, whose worker is gone. */
async function fill(t: Test, major: Major, name: string, url: string, options: object): Promise<void> {
  const queue = openQueue(t, major, name, url, options)
  // A check for stalled jobs leaves a key that expires by itself.
  const worker = startOwnersWorker(t, major, name, url, { ...options, skipStalledCheck: true })
  await queue.addBulk(Array.from({ length: 10 }, (_, index) => ({ name: 'send', data: { to: index, fail: index % 5 === 0 } })))
  await waitFor('the worker', async () => worker.outcomes.length === 10)
  await worker.close()
  await queue.add('later', { to: 'ada' }, { delay: 600_000 })
  await queue.add('urgent', { to: 'ada' }, { priority: 3 })
  await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'report', data: {} })
  await queue.pause()
  await queue.add('waits', { to: 'ada' })
  await queue.close()
}

/** Every GET of the API, with names and ids that exist. */
function addressesOf(document: { paths: Record<string, { get?: object }> }, task: string, items: ExecutionPage['items']): string[] {
  return Object.entries(document.paths)
    .filter(([path, { get }]) => get !== undefined && !path.includes('stream') && !path.includes('events'))
    .flatMap(([path]) => {
      if (path.includes('/executions/{id}')) return items.map(({ execution_id: id }) => path.replace('{id}', encodeURIComponent(id)))
      return [path.replace('{name}', encodeURIComponent(task)).replace('{id}', 'x').replace('{group}', 'x')]
    }).map(path => path.replace(/^.*\/api/, '/api'))
}

function diffOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(key => before.get(key) !== after.get(key))
}
