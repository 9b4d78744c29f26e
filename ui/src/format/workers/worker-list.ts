import type { Queue, Worker } from '../../../../schemas/index.ts'
import type { Mark } from '../executions/status.ts'
import { workerTexts } from '../../texts/workers.ts'
import { sortedBy, type Sorting } from '../lists/sorting.ts'

type Value = string | number | null
type Values<Row> = Readonly<Record<string, (row: Row) => Value>>

/** What the two lists can be sorted by. They are never cut, so they are sorted here. */
const WORKER_VALUES: Values<Worker> = {
  worker: workerName,
  state: ({ state, healthy }) => URGENCY[state] + (healthy ? 0 : -0.5),
  running: ({ running }) => running,
  tasks: ({ task_count: count }) => count,
  started: ({ started_at: at }) => Date.parse(at),
  memory: ({ memory_bytes: bytes }) => bytes,
  version: ({ version }) => version,
  seen: ({ last_seen_at: at }) => (at === null ? null : Date.parse(at))
}

const URGENCY: Readonly<Record<Worker['state'], number>> = { silent: 0, refused: 1, stopping: 3, alive: 4 }

const QUEUE_VALUES: Values<Queue> = {
  queue: ({ task_name: name }) => name,
  state: queue => (queue.state === 'paused' ? 0 : isUnserved(queue) ? 1 : 2),
  pending: ({ pending }) => pending,
  running: ({ running }) => running,
  utilisation: ({ utilisation }) => utilisation,
  oldest: ({ oldest_pending_ms: ms }) => ms,
  pace: ({ throughput_per_minute: pace }) => pace,
  workers: ({ workers }) => workers
}

export const WORKER_SORTINGS: readonly string[] = Object.keys(WORKER_VALUES)
export const QUEUE_SORTINGS: readonly string[] = Object.keys(QUEUE_VALUES)

/** Those that need attention come first, unless another order is wanted. */
export function toWorkerList(workers: readonly Worker[], find: string, sorting: Sorting | null): readonly Worker[] {
  const { column, isDescending } = sorting ?? { column: 'state', isDescending: false }
  return sortedBy(workers.filter(worker => isFound(textOf(worker), find)), isDescending, WORKER_VALUES[column]!)
}

/** By task, unless another order is wanted. */
export function toQueueList(queues: readonly Queue[], find: string, sorting: Sorting | null): readonly Queue[] {
  const found = queues.filter(({ name, task_name: taskName }) => isFound(`${taskName}\n${name}`, find))
  return sorting ? sortedBy(found, sorting.isDescending, QUEUE_VALUES[sorting.column]!) : found
}

/** `host · 4711`, or its id if host or process is not known. */
export function workerName({ host, pid, worker_id: id }: Worker): string {
  return host === null || pid === null ? id : `${host} · ${pid}`
}

export function workerMark({ state, healthy }: Worker): { readonly mark: Mark; readonly word: string } {
  const mark = { silent: 'failed', refused: 'failed', stopping: 'pending', alive: healthy ? 'success' : 'warning' } as const
  return { mark: mark[state], word: workerTexts.states[state] }
}

export function queueMark(queue: Queue): { readonly mark: Mark; readonly word: string } {
  const { paused, noWorker, running } = workerTexts.queueStates
  if (queue.state === 'paused') return { mark: 'off', word: paused }
  if (isUnserved(queue)) return { mark: 'warning', word: noWorker }
  // If the workers are not known, no one can say that nothing is wrong.
  return { mark: queue.workers === null ? 'unknown' : 'success', word: running }
}

function isUnserved({ workers }: Queue): boolean {
  return workers === 0
}

function textOf({ worker_id: id, host, pid, app, tasks }: Worker): string {
  return [id, host, pid, app, ...tasks.map(({ name }) => name)].join('\n')
}

function isFound(text: string, find: string): boolean {
  return text.toLowerCase().includes(find.trim().toLowerCase())
}
