import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Redis, type Cluster } from 'ioredis'
import type { Test } from 'tap'
import { groupBy } from '../../lib/collections/group-by.ts'
import type { Execution } from '../../lib/execution.ts'
import type { QueueApp } from '../../lib/index.ts'
import type { openQueue, Outcome } from './programs/owners-of-queues.ts'

const ADDED_EVERY_MS = 100
/** On a slow machine, workers would take minutes to catch up. */
const MAX_BEHIND = 1_000

/** What an execution must have, by the log of the worker and, if it was rebuilt from events, by the times of the server. */
export type Expected = Pick<Execution, 'status' | 'attempt' | 'startedAt' | 'finishedAt' | 'durationMs' | 'waitMs' | 'scheduleId'>

/** Checks that the history of an observed queue equals its workers' log: each job once, with its outcome, its attempts and its times. */
export function compare(
  t: Pick<Test, 'same'>, history: readonly Execution[], outcomes: readonly Outcome[], stories: ReadonlyMap<string, Story>
): void {
  const byJob = groupBy(history, jobIdOf)
  const ended = new Map(outcomes.map(outcome => [outcome.jobId, outcome]))
  t.same([...ended.keys()].filter(jobId => !byJob.has(jobId)), [], 'none is missing')
  t.same([...byJob].filter(([, executions]) => executions.length > 1).map(([, executions]) => executions.map(each => each.executionId)), [],
    'none is recorded twice')
  // The response to a worker that ended a job can be lost. The server's events have that end.
  t.same([...byJob.keys()].filter(jobId => !ended.has(jobId) && stories.get(jobId)?.to === null), [], 'none is recorded that did not end')
  const differing = [...ended].flatMap(([jobId, outcome]) => {
    const [execution] = byJob.get(jobId) ?? []
    if (execution === undefined) return []
    const expected = expectedOf(execution, outcome, stories.get(jobId)!)
    const found = Object.fromEntries(Object.keys(expected).map(name => [name, execution[name as keyof Expected]]))
    return JSON.stringify(found) === JSON.stringify(expected) ? [] : [{ executionId: execution.executionId, found, expected }]
  })
  t.same(differing, [], 'outcome, attempts, start, finish, wait, duration and schedule')
}

/**
 * An execution rebuilt from events has the times of the server, and one read from its job has the times of the worker. Both must match to
 * the millisecond. A wait comes from the events, unless the job was read before them. BullMQ keeps only the last start of a job, so the
 * wait of a job that started again is only in the events.
 */
export function expectedOf(execution: Execution, outcome: Outcome, { waitMs, from, to, starts }: Story): Expected {
  const { status, attempts: attempt, schedulerId, dueAt, firstStartedAt } = outcome
  const [startedAt, finishedAt] = isRebuilt(execution) ? [from, to!] : [outcome.startedAt, outcome.finishedAt]
  const loggedMs = Math.max(firstStartedAt - dueAt, 0)
  return {
    status, attempt, startedAt, finishedAt, durationMs: Math.max(finishedAt - startedAt, 0),
    waitMs: !isRebuilt(execution) && starts === 1 && execution.waitMs === loggedMs ? loggedMs : waitMs,
    scheduleId: schedulerId === null ? null : `${execution.queue}:${schedulerId}`
  }
}

export function isRebuilt({ executionId }: Execution): boolean {
  return /@\d+-\d+$/.test(executionId)
}

/** `from` and `to` are its last start and its end; `to` is null if it has not ended. */
export interface Story { waitMs: number; from: number; to: number | null; starts: number }

interface StoredEvent { readonly at: number; readonly event?: string; readonly jobId?: string; readonly delay?: string | number }

/** For each job, its wait, its last start and its end, from the events of its queue on the server, none of which was trimmed. */
export async function readStories(
  server: string | Cluster, queue: { readonly name: string; toKey(type: string): string }
): Promise<Map<string, Story>> {
  const isPostgres = typeof server === 'string' && server.startsWith('postgres')
  return toStories(isPostgres ? await readRows(server, queue.name) : await readStream(server, queue.toKey('events')))
}

/** @param events in their order */
function toStories(events: readonly StoredEvent[]): Map<string, Story> {
  const stories = new Map<string, Story & { addedAt: number; dueAt: number | null }>()
  for (const { at, event, jobId, delay } of events) {
    if (jobId === undefined) continue
    // On PostgreSQL, no event tells when a run of a job scheduler was added.
    const plannedAt = Number(/^repeat:.*:(\d+)$/.exec(jobId)?.[1] ?? NaN) || null
    const story = stories.get(jobId) ?? { addedAt: plannedAt ?? at, dueAt: plannedAt, starts: 0, waitMs: 0, from: 0, to: null }
    stories.set(jobId, story)
    if (event === 'delayed' && story.starts === 0) story.dueAt = Number(delay)
    if (event === 'waiting' && story.starts === 0) story.dueAt = Math.min(story.dueAt ?? at, at)
    if (event === 'active') {
      if (story.starts++ === 0) story.waitMs = Math.max(at - Math.max(story.dueAt ?? at, story.addedAt), 0)
      story.from = at
    } else if (event === 'completed' || event === 'failed') story.to = at
  }
  return stories
}

async function readStream(server: string | Cluster, key: string): Promise<StoredEvent[]> {
  const redis = typeof server === 'string' ? new Redis(server) : server
  const entries = await redis.xrange(key, '-', '+')
  if (redis !== server) redis.disconnect()
  return entries.map(([id, flat]) => ({
    at: Number(id.split('-')[0]),
    ...Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]))
  }))
}

async function readRows(url: string, queue: string): Promise<StoredEvent[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ at: string; event: string; data: Pick<StoredEvent, 'jobId' | 'delay'> }>(
    'SELECT created_at_ms AS at, event, data FROM bullmq.event WHERE queue = $1 ORDER BY id', [queue]
  )
  await client.end()
  return rows.map(({ at, event, data }) => ({ ...data, at: Number(at), event }))
}

export function jobOf({ jobId }: Outcome): string {
  return jobId
}

/** `emails:17@1795576043549-0` → `17` */
export function jobIdOf({ executionId }: Execution): string {
  return executionId.replace(/^[^:]*:/, '').replace(/@[\d-]+$/, '')
}

/** The finished executions that match, read page by page. */
export async function readHistory(
  queueApp: QueueApp, query: Parameters<QueueApp['monitoring']['executions']>[0] = {}
): Promise<Execution[]> {
  const all: Execution[] = []
  for (let cursor: string | undefined; ;) {
    const page = await queueApp.monitoring.executions({ ...query, limit: 200, ...cursor !== undefined && { cursor } })
    all.push(...page.executions.filter(({ finishedAt }) => finishedAt !== null))
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

/** Adds jobs continuously, as long as its workers are not far behind; one in nine fails. */
export function startLoad(queue: ReturnType<typeof openQueue>, jobsAtATime: number, outcomes: readonly Outcome[]) {
  let added = 0
  let isStopped = false
  const running = (async () => {
    while (!isStopped) {
      if (added - outcomes.length > MAX_BEHIND) {
        await sleep(ADDED_EVERY_MS)
        continue
      }
      const jobs = Array.from({ length: jobsAtATime }, (_, index) => ({
        name: index % 2 === 0 ? 'send' : 'digest', data: { to: added + index, ms: index % 7, fail: index % 9 === 0 }
      }))
      // The request may be refused while the server is down, or its response lost. The log of the workers decides.
      await queue.addBulk(jobs).then(() => { added += jobs.length }, () => {})
      await sleep(ADDED_EVERY_MS)
    }
  })()
  return { added: () => added, stop: () => { isStopped = true; return running } }
}

/** Has the same effect as waiting for the minute after which another process takes over. */
export async function forgetLeases(backend: string, namespace: string): Promise<void> {
  if (backend.startsWith('postgres')) {
    const client = new pg.Client(backend)
    await client.connect()
    await client.query(`DELETE FROM "${namespace}".leases`)
    return client.end()
  }
  const redis = new Redis(backend)
  const leases = (await redis.keys('*')).filter(key => key.includes(namespace) && key.includes('~lease:'))
  if (leases.length > 0) await redis.del(...leases)
  redis.disconnect()
}
