import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { DAY_MS } from '../../../lib/time/units.ts'
import { postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { restoreRedis } from './redis-dump.ts'

const TASKS_KEY = '{shop}:~documents:tasks'

/**
 * Written by an older version, see write-data.ts: 30 successes, 10 failures with two attempts each, five pending executions, three
 * schedules. A task is forgotten a week after its last process, and by now that was longer ago. So its tasks are kept for another day.
 */
const stores = {
  redis: async (t: Test) => {
    const url = await redisUrl(t)
    await restoreRedis(url, JSON.parse(await unpack('redis.json.gz')))
    const redis = new Redis(url)
    const tasks = Object.entries(await redis.hgetall(TASKS_KEY))
    const later = tasks.map(([name, document]) => [name, document.replace(/^(\d+) \d+ /, `$1 ${Date.now() + DAY_MS} `)] as const)
    await redis.hset(TASKS_KEY, Object.fromEntries(later))
    redis.disconnect()
    return url
  },
  postgres: async (t: Test) => {
    const url = await postgresUrl(t)
    const client = new pg.Client(url)
    await client.connect()
    await client.query(await unpack('postgres.sql.gz'))
    await client.query(`UPDATE shop.documents SET expires_at = now() + interval '1 day' WHERE collection = 'tasks'`)
    await client.end()
    return url
  }
}

for (const [kind, restore] of Object.entries(stores)) {
  t.test(`a history and schedules written by an older version on ${kind} read the same, and continue`, async t => {
    const url = await restore(t)
    const facts = JSON.parse(await readFile(join(import.meta.dirname, `${kind}-facts.json`), 'utf8'))
    const tick = facts.schedules.find((each: Schedule) => each.interval_ms !== null)
    await readsTheSame(t, url, facts)
    await addsUp(t, url, facts)
    await goesOn(t, url, tick)
  })
}

/** Fields of an execution that the older version did not write, with the values that are shown for them. */
const NEW_FIELDS = { planned_at: null, cancelling_since: null }

function withNewFields(page: Facts['succeeded']): object {
  return { ...page, items: page.items.map(item => ({ ...item, ...NEW_FIELDS })) }
}

function withNewFieldsOf(schedule: Schedule): object {
  return { ...definitionOf(schedule), changes: 'all', note: null }
}

async function readsTheSame(t: Test, url: string, facts: Facts): Promise<void> {
  const { read, close } = await openDashboard(t, url)
  t.same(await read('executions?status=failed&limit=200'), withNewFields(facts.failed), 'the failures')
  t.same(await read('tasks/email%3Asend/executions?status=success&limit=200'), withNewFields(facts.succeeded), 'the successes of a task')
  for (const detail of facts.details) {
    const wanted = { ...detail, ...NEW_FIELDS, cancellation: null, job_name: null, missing: [] }
    t.same(await read(`executions/${detail.execution_id}`), wanted, `all of a ${detail.status} execution`)
  }
  const groups = facts.failures.items.map(group => ({ ...withoutToday(group), state: 'open', decision: null, decidable: true }))
  t.same((await read('failures')).items.map(withoutToday), groups, 'the failure groups')
  t.same((await read('schedules')).map(definitionOf), facts.schedules.map(withNewFieldsOf), 'the schedules')
  for (const task of facts.tasks) {
    const { success, failed } = (await read(`tasks/${encodeURIComponent(task.name)}`)).executions
    t.same({ success, failed }, { success: task.executions.success, failed: task.executions.failed }, `the counts of ${task.name}`)
  }
  await close()
}

async function addsUp(t: Test, url: string, facts: Facts): Promise<void> {
  const store = createStore(url, { namespace: 'shop', role: 'result backend', onError: error => t.fail(error.message) })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  const fromMs = Math.floor(Date.parse(facts.failed.items.at(-1)!.finished_at) / DAY_MS) * DAY_MS
  for (const { name, executions } of facts.tasks) {
    const days = await backend.rollups({ taskName: name, span: 'day', fromMs, toMs: fromMs + 2 * DAY_MS })
    const sum = (what: (tally: typeof days[number]['tally']) => number) => days.reduce((total, { tally }) => total + what(tally), 0)
    t.same(
      { success: sum(tally => tally.success), failed: sum(tally => tally.failed) },
      { success: executions.success, failed: executions.failed }, `the days of ${name}`
    )
    t.equal(
      sum(tally => [...tally.duration.values()].reduce((all, count) => all + count, 0)), executions.success + executions.failed,
      `the durations of ${name}`
    )
  }
}

async function goesOn(t: Test, url: string, tick: Schedule): Promise<void> {
  const sent: string[] = []
  const { read, close } = await openDashboard(t, url, queueApp => {
    queueApp.task('email:send', async (to: string) => { sent.push(to) })
    queueApp.task('日報', async () => 'ok')
  })
  const after = await waitFor('the pending executions and runs of the schedule to finish', async () => {
    const [task, schedule] = [await read('tasks/email%3Asend'), await read(`schedules/${tick.schedule_id}`)]
    return task.executions.success === 35 && schedule.stats.runs >= tick.stats.runs + 2 && schedule
  })
  t.same(sent.toSorted(), Array.from({ length: 5 }, (_, index) => `later-${index}@example.com`), 'what was pending ran once')
  t.ok(after.stats.missed > tick.stats.missed, 'what was due in the meantime is missed')
  t.same(definitionOf(after), withNewFieldsOf(tick), 'its definition is unchanged')
  await close()
}

async function openDashboard(t: Test, url: string, register: (queueApp: QueueApp) => void = () => undefined) {
  const keep = { days: 36_500, count: 1_000_000 }
  const queueApp = QueueApp.fromUrls({
    broker: url, namespace: 'shop', retention: { success: keep, failed: keep }, onError: error => t.comment(error.message)
  })
  register(queueApp)
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'local' })
  const close = async (): Promise<void> => {
    await server.close()
    await queueApp.stop()
  }
  t.teardown(close)
  await queueApp.start()
  return { read: async (path: string) => (await server.inject(`/tasks/api/${path}`)).json(), close }
}

interface Schedule { readonly schedule_id: string; readonly interval_ms: number | null; readonly stats: {
  readonly runs: number; readonly missed: number
} }

interface Facts {
  readonly failed: { readonly items: ReadonlyArray<{ readonly finished_at: string }> }
  readonly succeeded: { readonly items: readonly object[] }
  readonly details: ReadonlyArray<{ readonly execution_id: string; readonly status: string }>
  readonly failures: { readonly items: readonly object[] }
  readonly schedules: readonly Schedule[]
  readonly tasks: ReadonlyArray<{ readonly name: string; readonly executions: { readonly success: number; readonly failed: number } }>
}

/** Without the fields that depend on the last 24 hours. */
function withoutToday(group: object): object {
  return { ...group, is_new: null, trend: null }
}

/** The definition of a schedule, without its state. */
function definitionOf(schedule: object): object {
  const { next_run_at, last_run_at, last_status, stats, overdue, task_registered, ...definition } = schedule as Record<string, unknown>
  return definition
}

async function unpack(name: string): Promise<string> {
  return gunzipSync(await readFile(join(import.meta.dirname, name))).toString()
}
