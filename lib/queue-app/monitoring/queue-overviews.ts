import { TREND_HOURS } from '../../backend/counting/failure-hours.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import type { Engine } from '../../engine/engine.ts'
import { HOUR_MS, MINUTE_MS } from '../../time/units.ts'
import type { ShownRegistry } from '../scope/scoped-registry.ts'
import { ONLY_ITSELF, wholesOf } from '../tasks/parts-of-tasks.ts'
import { hasKnownWorkers, partOf, type KnownTask } from '../tasks/known-task.ts'
import type { QueueOverview } from './monitoring.ts'
import { concurrencyByTask } from './worker-overviews.ts'

export interface QueueOverviewsDependencies {
  readonly engine: Pick<Engine, 'queues' | 'queueOf' | 'rateLimitedUntil'>
  readonly backend: Pick<ResultBackend, 'hoursByTask'>
  readonly registry: Pick<ShownRegistry, 'tasks' | 'taskNames' | 'workers' | 'workersByTask' | 'knowsWorkers' | 'covered'>
  /** Whether observed queues can be changed. */
  readonly managesOthers: boolean
  now(): number
}

export interface QueueOverviews {
  list(): Promise<QueueOverview[]>
  /** By the name of the queue, or else of its task. */
  find(name: string): Promise<QueueOverview | null>
}

/** Reads the queues of all tasks. The number of round trips does not grow with the content of the queues. */
export function createQueueOverviews({ engine, backend, registry, now, managesOthers }: QueueOverviewsDependencies): QueueOverviews {
  return {
    list: async () => read((await registry.tasks()).filter(hasQueue), await registry.taskNames()),
    async find(name) {
      const tasks = (await registry.tasks()).filter(hasQueue)
      const task = tasks.find(each => engine.queueOf(each.name) === name) ?? tasks.find(each => each.name === name)
      return task === undefined ? null : (await read([task], [task.name]))[0] ?? null
    }
  }

  async function read(tasks: readonly KnownTask[], taskNames: readonly string[]): Promise<QueueOverview[]> {
    const at = now()
    // Counts per task are hourly: the previous hour, and this one until now.
    const lastTwoMs = HOUR_MS + at % HOUR_MS
    const limits = tasks.map(({ name, rateLimit }) => ({ taskName: name, max: rateLimit?.max ?? null }))
    const wholeOf = wholesOf(tasks.map(({ name }) => name), registry.covered ?? ONLY_ITSELF)
    const isOfOthers = !tasks.some(task => hasKnownWorkers(task, registry))
    const [states, workers, workersByTask, trends, limitedUntil] = await Promise.all([
      engine.queues(taskNames),
      isOfOthers ? [] : registry.workers(),
      isOfOthers ? NO_WORKERS : registry.workersByTask(),
      backend.hoursByTask(at - (TREND_HOURS - 1) * HOUR_MS, at + 1, wholeOf),
      engine.rateLimitedUntil(limits)
    ])
    const concurrencies = concurrencyByTask(workers)
    return tasks.flatMap(task => {
      const { name, rateLimit } = task
      const state = states.get(name)
      // The server of this queue is down, so nothing is known about the queue.
      if (state === undefined) return []
      const knowsWorkers = hasKnownWorkers(task, registry)
      const trend = trends.get(name) ?? Array.from({ length: TREND_HOURS }, () => 0)
      const runsIn = workersByTask.get(name) ?? 0
      const concurrency = concurrencies.get(name)
      return {
        name: engine.queueOf(name),
        taskName: name,
        changes: task.type !== 'external' ? 'all' : managesOthers && state.isKnownVersion !== false ? 'some' : 'none',
        pause: state.pause,
        limits: state.limits,
        pending: state.pending,
        running: state.running,
        oldestPendingMs: state.oldestPendingMs,
        workers: knowsWorkers ? runsIn : null,
        // Heartbeats and reports are read at about the same time. If they disagree, the concurrency is unknown.
        concurrency: concurrency === undefined && runsIn === 0 && knowsWorkers ? 0 : concurrency ?? null,
        rateLimit,
        rateLimitedUntil: limitedUntil.get(name) ?? null,
        throughputPerMinute: (trend.at(-2)! + trend.at(-1)!) * MINUTE_MS / lastTwoMs,
        trend
      }
    })
  }
}

const NO_WORKERS: ReadonlyMap<string, number> = new Map()

/** A task that is only a part of a queue has no queue of its own. */
function hasQueue(task: KnownTask): boolean {
  return partOf(task) === null
}
