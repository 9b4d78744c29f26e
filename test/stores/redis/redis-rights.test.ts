import { readdir, readFile } from 'node:fs/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { isTaskDashboardError } from '../../../lib/errors.ts'
import { QueueApp } from '../../../lib/index.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { aclRules, neededCommands } from '../../../lib/stores/redis/checks/needed-commands.ts'
import type { StoreOptions } from '../../../lib/stores/store.ts'
import { testEngine } from '../../contracts/engine.ts'
import { testPolicies } from '../../contracts/engine-policies.ts'
import { resultBackendContract } from '../../contracts/result-backend.ts'
import { testStore } from '../../contracts/store.ts'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { testEndToEnd } from '../../end-to-end/end-to-end.ts'
import { serveDashboard } from '../../faults/serve-dashboard.ts'
import { listFiles, readText } from '../../support/source-files.ts'
import { startRedis, testNamespace } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'

const server = await startRedis(t, { persistent: false })
const admin = new Redis(server.url)
t.teardown(() => admin.disconnect())
let users = 0

/** A user with only these rules, and its URL. */
async function userUrl(rules: string, url = server.url): Promise<{ name: string, url: string }> {
  const name = `user-${++users}`
  await admin.call('ACL', 'SETUSER', name, 'reset', 'on', '>secret', ...rules.split(' '))
  return { name, url: url.replace('redis://', `redis://${name}:secret@`) }
}

/** The documented rules, for test namespaces, which all start with `t_`. */
const forTests = (role: StoreOptions['role']) => aclRules(role, 't_').replace('{t_}', '{t_')

async function refused(user: string): Promise<string[]> {
  const entries = await admin.call('ACL', 'LOG', '1000') as string[][]
  const logged = entries.map(entry => {
    const pairs = entry.flatMap((value, index) => index % 2 === 0 ? [[value, entry[index + 1]] as const] : [])
    return Object.fromEntries(pairs) as Record<string, string>
  })
  return [...new Set(logged.filter(({ username }) => username === user).map(({ object }) => object!))].filter(
    object => !NICE_TO_HAVE.has(object)
  )
}

/** Commands that clients and BullMQ try but can do without. */
const NICE_TO_HAVE = new Set(['info', 'config|get', 'client|setname', 'client|setinfo', 'client|list', 'cluster|slots'])

t.test('the documentation has the rules of each role', async t => {
  const lines = [...readText('docs/your-store.md').matchAll(/^ACL SETUSER tasks on >a-password ([^`]+)$/gm)].map(
    ([, rules]) => rules!.trim().split(/\s+/).join(' ')
  )
  t.strictSame(lines, [aclRules('broker', 'tasks'), aclRules('result backend', 'tasks')])
})

// All contracts take minutes and run in `npm run soak`. By default only the end-to-end test and what it does not cover run, in seconds.
t.test('everything works for a user with only the documented rights', { timeout: isSoak ? 1_500_000 : 200_000 }, async t => {
  const app = await userUrl(aclRules('broker', 'tasks'))
  await t.test('the dashboard shows what the handlers did', t => testEndToEnd(t, app.url))
  t.strictSame(await refused(app.name), [])

  const user = await userUrl(forTests('broker'))
  await t.test('executions start when their policies allow it', t => testPolicies(t, user.url))
  await t.test('a stalled run, duplicates, retention, failure groups and every read work', t => testRest(t, user.url))
  if (isSoak) await t.test('the engine keeps its contract', t => testEngine(t, async () => user.url))
  if (isSoak) await t.test('the store keeps its contract', t => testStore(t, async () => user.url))
  t.strictSame(await refused(user.name), [])

  const history = await userUrl(forTests('result backend'))
  await t.test('a result backend alone works', t => testHistory(t, history.url))
  if (isSoak) await t.test('the result backend keeps its contract', t => resultBackendContract(t, openStore('result backend', history.url)))
  t.strictSame(await refused(history.name), [])
})

/** What the end-to-end test does not cover. */
async function testRest(t: Test, broker: string): Promise<void> {
  const namespace = testNamespace()
  const enqueuer = QueueApp.fromUrls({ broker, namespace, tasks: { stalled: {} }, onError: error => { t.fail(error.message) } })
  await enqueuer.start()
  const id = await enqueuer.enqueue('stalled', [])
  // The state that a process leaves when it dies during a run, marked by an earlier stall check.
  const queue = `{${namespace}}:stalled`
  t.equal(await admin.call('RPOPLPUSH', `${queue}:wait`, `${queue}:active`), id)
  await admin.call('SADD', `${queue}:stalled`, id)

  // A busy machine misses a deadline now and then. A missing right has its own code.
  const onError = (error: Error): void => {
    const isLate = error.message === 'Command timed out' || (isTaskDashboardError(error) && error.code.endsWith('_UNAVAILABLE'))
    if (!isLate) t.fail(error.message)
  }
  const worker = QueueApp.fromUrls({ broker, namespace, stopGraceMs: 100, onError })
  worker.task('stalled', () => 'found again')
  const noop = worker.task('noop', () => {})
  await worker.start()
  const server = await serveDashboard(t, worker)
  const standing = await worker.enqueue(noop, [], { delayMs: 60_000, deduplication: { key: 'once' } })
  t.equal(await worker.enqueue(noop, [], { deduplication: { key: 'once' } }), standing)
  await enqueuer.stop()
  await waitFor('the stalled run to be taken again', async () => (await worker.result(id))?.status === 'success')

  const posted = await server.inject({
    method: 'POST', url: '/tasks/api/schedules/cron', headers: { 'idempotency-key': 'one' },
    payload: { task_name: 'noop', cron: '0 6 1 1 *', args: [] }
  })
  t.equal(posted.statusCode, 201, posted.body)
  const { schedule_id: scheduleId } = posted.json<{ schedule_id: string }>()
  for (const action of ['disable', 'enable'])
    t.equal((await server.inject({ method: 'PUT', url: `/tasks/api/schedules/${scheduleId}/${action}` })).statusCode, 200)
  const { paths } = (await server.inject('/tasks/api/openapi.json')).json<{ paths: Record<string, { get?: unknown }> }>()
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined || path.includes('stream')) continue
    const url = `/tasks${path}`.replace('{name}', 'noop').replace('{id}', path.startsWith('/api/schedules') ? scheduleId : id)
    t.ok((await server.inject(url)).statusCode < 500, url)
  }
  t.ok((await server.inject({ method: 'DELETE', url: `/tasks/api/schedules/${scheduleId}` })).statusCode < 300)
}

/** The contract in brief: records are found, listed, grouped, counted and removed. */
async function testHistory(t: Test, url: string): Promise<void> {
  const store = await openStore('result backend', url)(t)
  const backend = createResultBackend(store)
  await backend.start()
  t.teardown(() => backend.stop())
  const failed = makeExecution({ status: 'failed', finishedAt: Date.now() - 86_400_000 })
  await backend.recordAttempts([
    {
      executionId: failed.executionId, taskName: failed.taskName,
      attempt: { attempt: 1, startedAt: 1, finishedAt: 2, workerId: 'w', error: null }
    }
  ])
  t.equal(await backend.record([failed, makeExecution()]), 2)
  t.equal((await backend.find(failed.executionId))?.executionId, failed.executionId)
  t.equal((await backend.list({ order: 'newest', limit: 10 })).executions.length, 2)
  t.equal((await backend.failureGroups({ limit: 10 })).groups.length, 1)
  const now = Date.now()
  const limits = { maxAgeMs: 3_600_000, maxCount: 1_000 }
  const policy = { success: limits, failed: limits }
  t.match(await backend.prune(policy, { nowMs: now, keepAfterMs: now, brokerHasAfterMs: now - 2 * 86_400_000, limit: 10 }), { removed: 1 })
  await Promise.all([
    backend.totals(), backend.taskTotals(), backend.kept(), backend.watermarks(), backend.saveWatermarks(new Map([['task', 1]]))
  ])
  await Promise.all([backend.scheduleTotals(['s']), backend.forgetSchedule('s')])
  t.ok(await store.ping() >= 0)
  await store.documents.put('fruits', 'apple', 1)
  t.equal((await store.documents.list('fruits')).length, 1)
}

function openStore(role: StoreOptions['role'], url: string) {
  return async (t: Test) => {
    const store = createStore(url, { namespace: testNamespace(), role, onError() {} })
    t.teardown(() => store.stop())
    await store.start()
    return store
  }
}

t.test('start() names each missing command and key right, and leaves no trial data behind', async t => {
  await admin.flushdb()
  for (const role of ['broker', 'result backend'] as const) {
    const { name, url } = await userUrl(aclRules(role, 'tasks'))
    for (const command of neededCommands(role)) {
      await admin.call('ACL', 'SETUSER', name, `-${command}`)
      const error = await startError(url, role)
      t.match(
        error,
        {
          code: 'STORE_UNSUITABLE', message: `its user may not run ${command.toUpperCase()}. Grant it: ACL SETUSER <its name> +${command} `
        },
        `${role} ${command}`
      )
      t.notMatch(error?.message, /secret|user-\d/)
      await admin.call('ACL', 'SETUSER', name, `+${command}`)
    }
    t.equal(await startError(url, role), null)
    for (const pattern of ['~others*', '~{tasks}:*', '%R~{tasks}*']) {
      await admin.call('ACL', 'SETUSER', name, 'resetkeys', pattern)
      t.match(
        await startError(url, role),
        {
          code: 'STORE_UNSUITABLE', message: /its user may not use the keys \{tasks\}\*\. Grant it: ACL SETUSER <its name> '~\{tasks\}\*'/
        },
        pattern
      )
    }
    await admin.call('ACL', 'SETUSER', name, 'allkeys', '-@all')
    t.match(await startError(url, role), { code: 'STORE_UNSUITABLE', message: /EVAL, .*ZSCORE/ })
  }
  await waitFor('the trial data to be gone', async () => await admin.dbsize() === 0)
})

t.test('a user without dangerous commands, such as INFO, is sufficient', async t => {
  const { name, url } = await userUrl('~{tasks}* +@all -@dangerous -@admin -client')
  t.equal((await startError(url, 'broker')), null)
  const queueApp = QueueApp.fromUrls({ broker: url, onError(error) { t.fail(error.message) } })
  const done: number[] = []
  const task = queueApp.task('quick', (index: number) => { done.push(index) })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  await queueApp.enqueue(task, [1])
  await queueApp.enqueue(task, [2], { delayMs: 20 })
  await waitFor('both to run', async () => done.length === 2)
  t.match(await queueApp.monitoring.datastores(), { broker: { kind: 'redis', version: null, evictionPolicy: null } })
  t.strictSame(await refused(name), [])
})

t.test('start() names renamed commands', async t => {
  const renamed = await startRedis(t, {
    persistent: false,
    args: [
      '--rename-command', 'EVALSHA', '', '--rename-command', 'XADD', 'hidden', '--rename-command', 'CONFIG', '', '--rename-command', 'INFO',
      ''
    ]
  })
  t.match(await startError(renamed.url, 'broker'), {
    code: 'STORE_UNSUITABLE',
    message: /it does not know EVALSHA, XADD\. Restore the original names of the commands \(rename-command\), or use another server/
  })
  t.match(await startError(renamed.url, 'result backend'), { code: 'STORE_UNSUITABLE', message: /it does not know EVALSHA\. / })
})

async function startError(url: string, role: StoreOptions['role']): Promise<Error | null> {
  const store = createStore(url, { namespace: 'tasks', role, onError(error) { throw error } })
  try {
    await store.start()
    return null
  } catch (error) {
    return error as Error
  } finally {
    await store.stop()
  }
}

t.test('every command in our scripts, and in those of BullMQ that we run, is in the list', async t => {
  const [broker, backend] = [new Set<string>(neededCommands('broker')), new Set<string>(neededCommands('result backend'))]
  const calls = /(?:rcall|redis\.p?call)\(\s*(?:\w+ and )?(?:['"](\w+)['"])(?: or ['"](\w+)['"])?/g
  const commandsIn = (text: string): string[] => {
    const names = [...text.matchAll(calls)].flatMap(([, one, other]) => [one, other])
    return names.flatMap(name => name === undefined ? [] : [name.toLowerCase()])
  }
  // A server with existing queues has a separate user.
  const ofOthers = new Set([...readText('docs/existing-queues.md').matchAll(/\+([a-z]+)/g)].map(([, command]) => command))
  let found = 0
  for (const path of listFiles('lib', /\.ts$/)) {
    if (path === 'lib/stores/redis/source/sentinels.ts') continue
    if (path.startsWith('lib/engine/observing/')) {
      for (const command of commandsIn(readText(path))) t.ok(ofOthers.has(command), `${command} in ${path}`)
      continue
    }
    const ofBackend = /^lib\/(?:backend\/redis|stores\/documents|stores\/redis)\//.test(path)
    for (const command of commandsIn(readText(path))) {
      found++
      t.ok((ofBackend ? backend : broker).has(command), `${command} in ${path}`)
      if (ofBackend) t.ok(broker.has(command), command)
    }
  }
  t.ok(found > 150)

  const folder = new URL('../../../node_modules/bullmq/dist/esm/scripts/', import.meta.url)
  for (const file of await readdir(folder)) {
    if (!/^\w+-\d+\.js$/.test(file) || NOT_RUN.test(file)) continue
    for (const command of commandsIn(await readFile(new URL(file, folder), 'utf8')))
      t.ok(broker.has(command), `${command} in BullMQ's ${file}`)
  }
})

/** Scripts for flows, and for features that this package implements with its own scripts or does not use. */
const NOT_RUN =
  /^(?:relay|addParentJob|changeDelay|changePriority|cleanJobsInSet|drain|getCounts|getDependencyCounts|getJobs-|getMetrics|getRanges|isFinished|moveToWaitingChildren|obliterate|paginate|pause|promote|removeOrphanedJobs)/
