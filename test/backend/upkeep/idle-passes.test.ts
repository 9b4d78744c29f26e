import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createBrokerMark } from '../../../lib/backend/upkeep/broker-mark.ts'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { createReconciler } from '../../../lib/backend/upkeep/reconciler.ts'
import { createRetention } from '../../../lib/backend/upkeep/retention.ts'
import { createSweeper } from '../../../lib/backend/upkeep/sweeper.ts'
import { createBullmqEngine } from '../../../lib/engine/bullmq-engine.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { enqueueAll, work } from '../../contracts/engine-work.ts'
import { postgresUrl, startRedis, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Longer than the period for which the reconciler repeats its comparison of recent executions. */
const QUIET_FOR_MS = 120_000
/**
 * Commands whose number depends on how long a pass takes: the checks of a connection that is new or was idle for a while, and the check for
 * pauses that have ended, which the engine makes every few seconds.
 */
const NOT_OF_A_PASS = ['SELECT 1', 'SELECT pg_is_in_recovery()', 'SELECT (min((known.value', 'exists']
const NOTHING_ASKED = { maxAgeMs: 7 * 86_400_000, maxCount: 1_000_000 }

t.test('an idle minute sends the same number of commands for 3 tasks and 400, and for 5 stored executions and 300', async t => {
  // Its own server, because ioredis fails when other clients' commands arrive together with the answer to MONITOR.
  await t.test('Redis gets as many commands for many tasks as for few', async t => compare(t, `${(await startRedis(t)).url}/0`))
  await t.test('PostgreSQL gets as many commands for many tasks as for few', async t => compare(t, await postgresUrl(t)))
})

async function compare(t: Test, url: string): Promise<void> {
  const few = await commandsOfAMinute(t, url, { tasks: 3, executions: 5 })
  const many = await commandsOfAMinute(t, url, { tasks: 400, executions: 300 })
  t.ok(few.length > 10, `${few.length} commands`)
  t.equal(many.length, few.length, `${tally(many)} beside ${tally(few)}`)
}

/** The reconciler runs at most six times a minute, sweeper and retention once. */
async function commandsOfAMinute(t: Test, url: string, { tasks, executions }: { tasks: number; executions: number }): Promise<string[]> {
  const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const engine = createBullmqEngine(store)
  await engine.start()
  t.teardown(() => engine.stop())
  const names = Array.from({ length: tasks }, (_, index) => `task ${index}`)
  for (const taskName of names.slice(0, 3)) {
    const worker = work(t, engine, { taskName, run: async () => null, concurrency: 20 })
    const count = Math.ceil(executions / 3)
    await enqueueAll(engine, taskName, Array.from({ length: count }, () => ({})))
    await waitFor('all to finish', async () => worker.executions.length === count)
    await backend.record(worker.executions)
    await worker.stop()
  }
  const mark = createBrokerMark(store.documents)
  const common = {
    backend, taskNames: async () => names, leases: store.documents, holder: 'a', onError: t.fail,
    now: async () => await store.now() + QUIET_FOR_MS, brokerHasAfter: mark.brokerHasAfter
  }
  const { newestFinished, finishedSince, finishedBefore, readFinished, removeFinished } = engine
  const passes = [
    createReconciler({ ...common, newestFinished, finishedSince, keptByBrokerMs: 3_600_000 }),
    createSweeper({ ...common, mark, finishedBefore, readFinished, removeFinished, indexQueues: engine.indexQueues, keptMs: 3_600_000 }),
    createRetention({ ...common, policy: { success: NOTHING_ASKED, failed: NOTHING_ASKED }, unwrittenSince: async () => null })
  ]
  const aMinute = async () => { for (const pass of [...Array.from({ length: 6 }, () => passes[0]!), ...passes]) await pass.runOnce() }
  // The first minute learns the initial state.
  await aMinute()
  const commands = store.kind === 'redis' ? await monitored(t, url, aMinute) : await counted(aMinute)
  await Promise.all(passes.map(pass => pass.stop()))
  await engine.stop()
  return commands
}

/** The commands that clients sent to Redis, not those that scripts ran there. */
async function monitored(t: Test, url: string, work: () => Promise<void>): Promise<string[]> {
  const redis = new Redis(url)
  const monitor = await redis.monitor()
  t.teardown(() => {
    monitor.disconnect()
    redis.disconnect()
  })
  const database = new URL(url).pathname.slice(1)
  const commands: string[] = []
  monitor.on('monitor', (_time: string, [name = '', ...rest]: string[], source: string, of: string) => {
    if (source !== 'lua' && of === database) commands.push(name === 'echo' ? rest.join() : name)
  })
  await work()
  await redis.echo('over')
  await waitFor('the last command', async () => commands.includes('over'))
  return commands.filter(name => name !== 'over').filter(isOfAPass)
}

/** The statements on all connections of this process. */
async function counted(work: () => Promise<void>): Promise<string[]> {
  const statements: string[] = []
  const { prototype } = pg.Client
  const { query } = prototype
  prototype.query = function (this: pg.Client, ...parameters: [string | { text: string }]) {
    const [statement] = parameters
    statements.push((typeof statement === 'string' ? statement : statement.text).trim().slice(0, 40))
    return query.apply(this, parameters as never)
  } as never
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return statements.filter(isOfAPass)
}

function isOfAPass(command: string): boolean {
  return !NOT_OF_A_PASS.some(start => command.startsWith(start))
}

function tally(commands: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of commands) counts.set(name, (counts.get(name) ?? 0) + 1)
  return JSON.stringify(Object.fromEntries(counts))
}
