import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { Execution, ExecutionDetail, ExecutionPage } from '../../schemas/execution.ts'
import type { Health } from '../../schemas/health.ts'
import type { Schedule } from '../../schemas/schedule.ts'
import type { Stats } from '../../schemas/stats.ts'
import type { Task } from '../../schemas/task.ts'
import { LOADER } from '../support/loader.ts'
import { waitFor } from '../support/wait-for.ts'

const MOUNT = '/ops/tasks'
const SENT = 700
const FAILING = 200
const REPORTS = 100
const TOTAL = SENT + FAILING + REPORTS
const ATTEMPTS = 3
/** How often in a row a response may be 503. */
const MAX_LATE = 3

/** A machine with ten times the load has 40 of 1,000 executions left after 60 s. */
const MAX_FINISH_MS = 180_000

/** Every endpoint must show what the handlers did, also after the process was killed. */
export async function testEndToEnd(t: Test, url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-end-to-end-'))
  const tallyFile = join(folder, 'tally')
  t.teardown(() => rm(folder, { recursive: true, force: true }))

  const first = await startApp(t, url, tallyFile)
  t.match(
    await first.get<Health>('/api/health'),
    { components: { app: { healthy: true }, broker: { healthy: true }, backend: { latency_ms: Number } } }, 'a started app works'
  )
  // Background work may have missed a deadline while the process started, and reports that until it succeeds.
  await waitFor('it to be healthy', async () => (await first.get<Health>('/api/health')).status === 'healthy')
  const ids = await first.post<string[]>('/enqueue', undefined, '')
  t.equal(new Set(ids).size, TOTAL, 'every execution has its own id')

  let ticks = ''
  const ticking = await waitFor(() => `the schedule to run twice: ${ticks}`, async () => {
    const schedule = (await first.get<Schedule[]>('/api/schedules?task_name=tick'))[0]!
    ticks = JSON.stringify(schedule)
    return schedule.stats.success! >= 2 && schedule
  }, MAX_FINISH_MS)
  await first.put(`/api/schedules/${encodeURIComponent(ticking.schedule_id)}/disable`)
  let last = ''
  await waitFor(() => `everything to finish: ${last}`, async () => {
    const stats = await first.get<Stats>('/api/stats')
    last = JSON.stringify(stats.executions)
    return stats.executions.pending === 0 && stats.executions.running === 0 &&
      stats.total_tasks === TOTAL + (await readTally(tallyFile)).ticks
  }, MAX_FINISH_MS)
  const before = await checkAgainstHandlers(t, first, await readTally(tallyFile), ids)

  first.process.kill('SIGKILL')
  await once(first.process, 'exit')

  const second = await startApp(t, url, tallyFile)
  const after = await checkAgainstHandlers(t, second, await readTally(tallyFile), ids)
  t.strictSame(after.history, before.history, 'a kill leaves the history unchanged')
  t.strictSame(after.schedules, before.schedules, 'a kill leaves the schedules unchanged')
  t.strictSame(after.statistics, before.statistics, 'a kill leaves the statistics unchanged')

  await second.put(`/api/schedules/${encodeURIComponent(ticking.schedule_id)}/enable`)
  let shown: Schedule | undefined
  await waitFor(() => `the schedule to run again: ${JSON.stringify(shown)}`, async () => {
    shown = await second.get<Schedule>(`/api/schedules/${encodeURIComponent(ticking.schedule_id)}`)
    return shown.stats.success! > ticking.stats.success!
  }, MAX_FINISH_MS)
  second.process.kill('SIGTERM')
  const [exitCode] = await once(second.process, 'exit') as [number | null]
  t.equal(exitCode, 0, 'the process ends by itself after stop()')
}

interface Tally {
  readonly sent: Set<number>
  readonly attempts: Map<string, number>
  readonly reports: Set<number>
  readonly reportProcesses: Set<number>
  readonly ticks: number
}

async function checkAgainstHandlers(t: Test, app: App, tally: Tally, ids: string[]) {
  t.equal(tally.sent.size, SENT, 'every email was sent')
  t.equal(tally.attempts.size, FAILING)
  t.ok([...tally.attempts.values()].every(attempts => attempts === ATTEMPTS), 'a failing execution has three attempts')
  t.equal(tally.reports.size, REPORTS)
  t.notOk(tally.reportProcesses.has(app.process.pid!), 'a cpu task runs in its own process')
  const success = SENT + REPORTS + tally.ticks

  const stats = await app.get<Stats>('/api/stats')
  t.strictSame(stats.executions, { pending: 0, running: 0, success, failed: FAILING })
  t.equal(stats.total_tasks, success + FAILING)
  t.ok(
    Math.abs(stats.success_rate - 100 * success / stats.total_tasks) < 0.01 &&
      Math.abs(stats.success_rate + stats.failure_rate - 100) < 0.01
  )
  t.match(stats, {
    active_workers: Number, queue_size: 0, registered_tasks: 4, schedules: { total: 2, enabled: 1, overdue: 0 }, oldest_pending_ms: null
  })

  const tasks = await app.get<Task[]>('/api/tasks')
  const expected: Record<string, Pick<Task, 'type' | 'retries' | 'retry_delay' | 'executions'>> = {
    'email:send': { type: 'io', retries: 0, retry_delay: 0, executions: { pending: 0, running: 0, success: SENT, failed: 0 } },
    'webhooks/deliver': { type: 'io', retries: 2, retry_delay: 0.05, executions: { pending: 0, running: 0, success: 0, failed: FAILING } },
    日報: { type: 'cpu', retries: 0, retry_delay: 0, executions: { pending: 0, running: 0, success: REPORTS, failed: 0 } },
    tick: { type: 'io', retries: 0, retry_delay: 0, executions: { pending: 0, running: 0, success: tally.ticks, failed: 0 } }
  }
  t.strictSame(tasks.map(task => task.name).sort(), Object.keys(expected).sort())
  for (const task of tasks) {
    t.match(task, expected[task.name]!)
    const { name, executions } = await app.get<Task>(`/api/tasks/${encodeURIComponent(task.name)}`)
    t.strictSame({ name, executions }, { name: task.name, executions: task.executions })
    const own = await app.pages(`/api/tasks/${encodeURIComponent(task.name)}/executions`)
    t.equal(own.length, executions.success + executions.failed, `the history of ${task.name} is complete`)
    t.ok(own.every(execution => execution.task_name === task.name))
  }

  const history = await app.pages('/api/executions')
  t.equal(history.length, stats.total_tasks, 'the pages are the complete history')
  const known = new Set(history.map(execution => execution.execution_id))
  t.equal(known.size, history.length, 'no execution is listed twice')
  t.ok(ids.every(id => known.has(id)), 'every enqueued execution is listed')
  t.equal((await app.pages('/api/executions?status=success')).length, success)
  t.equal((await app.pages('/api/executions?status=failed')).length, FAILING)
  t.equal((await app.pages('/api/executions?status=pending')).length, 0)
  t.equal((await app.pages('/api/executions?status=running')).length, 0)
  await checkDetails(t, app, ids)

  const schedules = await app.get<Schedule[]>('/api/schedules')
  const cron = schedules.find(schedule => schedule.schedule_type === 'cron')!
  const interval = schedules.find(schedule => schedule.schedule_type === 'interval')!
  t.match(cron, {
    task_name: 'email:send', cron: '0 6 1 1 *', enabled: true, source: 'code', description: 'New Year', args: ['all@example.com', -1],
    stats: { runs: 0 }
  })
  t.match(cron.next_run_at, /^20\d\d-01-01T06:00:00\.000Z$/)
  t.match(interval, {
    task_name: 'tick', interval_ms: 1000, enabled: false, next_run_at: null, last_status: 'success',
    stats: { runs: tally.ticks, success: tally.ticks, failed: 0 }
  })
  t.strictSame((await app.get<Schedule[]>('/api/schedules?enabled_only=true')).map(schedule => schedule.schedule_id), [cron.schedule_id])
  t.equal(
    (await app.pages(`/api/executions?schedule_id=${encodeURIComponent(interval.schedule_id)}`)).length, tally.ticks,
    'the runs of a schedule can be listed'
  )

  const { total_tasks, success_rate, failure_rate, executions } = stats
  const lasting = tasks.map(task => ({ ...task, duration_ms: null, workers: null }))
  return { history, schedules, statistics: { total_tasks, success_rate, failure_rate, executions, tasks: lasting } }
}

async function checkDetails(t: Test, app: App, ids: string[]): Promise<void> {
  const sent = await app.get<ExecutionDetail>(`/api/executions/${ids[5]}`)
  t.match(sent, {
    execution_id: ids[5], task_name: 'email:send', status: 'success', state: 'completed', attempt: 1, max_attempts: 1, error: null,
    args: ['user-5@example.com', 5], result: { to: 'user-5@example.com', index: 5 }, logs: ['sent to user-5@example.com']
  })
  t.ok(Date.parse(sent.submitted_at) <= Date.parse(sent.started_at!) && Date.parse(sent.started_at!) <= Date.parse(sent.finished_at!))
  const failed = await app.get<ExecutionDetail>(`/api/executions/${ids[SENT + 3]}`)
  t.match(failed, {
    task_name: 'webhooks/deliver', status: 'failed', state: 'failed', attempt: ATTEMPTS, max_attempts: ATTEMPTS, result: null,
    error: { type: 'TypeError', message: 'connection to https://example.com/3 refused', stack: /app\.[jt]s/ }
  })
  t.equal(failed.attempts.length, ATTEMPTS, 'every attempt is kept')
  t.ok(failed.attempts.every((attempt, index) =>
    attempt.attempt === index + 1 && attempt.error?.type === 'TypeError' && attempt.started_at && attempt.finished_at))
  const report = await app.get<ExecutionDetail>(`/api/executions/${ids[SENT + FAILING + 7]}`)
  t.match(report, { task_name: '日報', status: 'success', result: Number, progress: 100 })
}

interface App {
  readonly process: ChildProcess
  get<Body>(path: string): Promise<Body>
  post<Body>(path: string, body?: unknown, mount?: string): Promise<Body>
  put(path: string): Promise<unknown>
  /** Follows `next_cursor` to the end. */
  pages(path: string): Promise<Execution[]>
}

async function startApp(t: Test, url: string, tallyFile: string): Promise<App> {
  const child = fork(fileURLToPath(new URL('app.ts', import.meta.url)), [url, tallyFile], {
    execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  const [address] = await Promise.race([
    once(child, 'message') as Promise<[string]>,
    once(child, 'exit').then(([code]) => { throw new Error(`the application ended with code ${code}`) })
  ])
  async function ask<Body>(method: string, path: string, body?: unknown, mount = MOUNT): Promise<Body> {
    const send = () => fetch(`${address}${mount}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    })
    let response = await send()
    // Under load a response may be late. Repeating a GET or PUT does nothing twice.
    for (let again = 0; response.status === 503 && method !== 'POST' && again < MAX_LATE; again++) response = await send()
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Body
  }
  return {
    process: child,
    get: path => ask('GET', path),
    post: (path, body, mount) => ask('POST', path, body, mount),
    put: path => ask('PUT', path),
    async pages(path) {
      const all: Execution[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const separator = path.includes('?') ? '&' : '?'
        const page: ExecutionPage = await ask('GET', `${path}${separator}limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
        all.push(...page.items)
        cursor = page.next_cursor
      }
      return all
    }
  }
}

async function readTally(file: string): Promise<Tally> {
  const tally = {
    sent: new Set<number>(), attempts: new Map<string, number>(), reports: new Set<number>(), reportProcesses: new Set<number>(), ticks: 0
  }
  for (const line of (await readFile(file, 'utf8')).trim().split('\n')) {
    const [kind, first, second] = line.split(' ') as [string, string, string]
    if (kind === 'send') tally.sent.add(Number(first))
    if (kind === 'fail') tally.attempts.set(first, (tally.attempts.get(first) ?? 0) + 1)
    if (kind === 'tick') tally.ticks++
    if (kind !== 'report') continue
    tally.reports.add(Number(first))
    tally.reportProcesses.add(Number(second))
  }
  return tally
}
