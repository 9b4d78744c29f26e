import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import type { Execution } from '../../../lib/execution.ts'
import type { QueueApp } from '../../../lib/index.ts'
import type { openQueue, Outcome } from '../../support/programs/owners-of-queues.ts'

const JOBS_AT_A_TIME = 10
const ADDED_EVERY_MS = 100

/** Checks that the history of an observed queue equals its workers' log: each job once, with its outcome and its times. */
export function compare(t: Test, history: readonly Execution[], outcomes: readonly Outcome[], stories: ReadonlyMap<string, Story>): void {
  const byJob = new Map<string, Execution[]>()
  for (const execution of history) byJob.set(jobIdOf(execution), [...byJob.get(jobIdOf(execution)) ?? [], execution])
  const ended = new Map(outcomes.map(outcome => [outcome.jobId, outcome]))
  t.same([...ended.keys()].filter(jobId => !byJob.has(jobId)), [], 'none is missing')
  t.same([...byJob].filter(([, executions]) => executions.length > 1).map(([, executions]) => executions.map(each => each.executionId)), [],
    'none is recorded twice')
  const differing = [...ended].flatMap(([jobId, outcome]) => {
    const [execution] = byJob.get(jobId) ?? []
    if (execution === undefined) return []
    // An execution rebuilt from events has the times of the server, and one read from its job has the times of the worker. Both must match
    // to the millisecond.
    const { waitMs, from, to } = stories.get(jobId)!
    const isRebuilt = /@\d+-\d+$/.test(execution.executionId)
    const [startedAt, finishedAt] = isRebuilt ? [from, to] : [outcome.startedAt, outcome.finishedAt]
    const isSame = execution.status === outcome.status && execution.finishedAt === finishedAt &&
      execution.durationMs === finishedAt - startedAt && (isRebuilt ? execution.waitMs === waitMs : execution.waitMs !== null)
    return isSame ? [] : [{ execution, outcome }]
  })
  t.same(differing, [], 'outcome, finish, wait and duration')
}

export interface Story { waitMs: number; from: number; to: number }

/** For each job, its wait, its last start and its end, from the server's stream of events, which was never trimmed. */
export async function readStories(url: string, key: string): Promise<Map<string, Story>> {
  const redis = new Redis(url)
  const stories = new Map<string, Story & { dueAt: number | null; isStarted: boolean }>()
  for (const [id, flat] of await redis.xrange(key, '-', '+')) {
    const fields = Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]))
    const { event, jobId } = fields
    if (jobId === undefined) continue
    const at = Number(id.split('-')[0])
    const story = stories.get(jobId) ?? { dueAt: null, isStarted: false, waitMs: 0, from: 0, to: 0 }
    stories.set(jobId, story)
    if (event === 'waiting' && !story.isStarted) story.dueAt ??= at
    if (event === 'active') {
      if (!story.isStarted) story.waitMs = at - (story.dueAt ?? at)
      Object.assign(story, { isStarted: true, from: at })
    } else if (event === 'completed' || event === 'failed') story.to = at
  }
  redis.disconnect()
  return stories
}

export function jobOf({ jobId }: Outcome): string {
  return jobId
}

/** `emails:17@1795576043549-0` → `17` */
export function jobIdOf({ executionId }: Execution): string {
  return executionId.replace(/^[^:]*:/, '').replace(/@[\d-]+$/, '')
}

export async function readHistory(queueApp: QueueApp): Promise<Execution[]> {
  const all: Execution[] = []
  for (let cursor: string | undefined; ;) {
    const page = await queueApp.monitoring.executions({ limit: 200, ...cursor !== undefined && { cursor } })
    all.push(...page.executions.filter(({ finishedAt }) => finishedAt !== null))
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

/** Adds jobs continuously; one in nine fails. */
export function startLoad(queue: ReturnType<typeof openQueue>, jobsAtATime = JOBS_AT_A_TIME) {
  let added = 0
  let isStopped = false
  const running = (async () => {
    while (!isStopped) {
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
