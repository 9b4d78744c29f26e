import { inChunks } from '../../collections/in-chunks.ts'
import type { Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { CANCEL_FIELD, cancelMarkOf, type CancelMark } from '../jobs/job-cancellation.ts'
import { cancelsKey } from './redis-cancel.ts'

/** Requests to cancel take effect within this time plus a round trip. */
const ASKED_EVERY_MS = 1_000
const IDS_AT_A_TIME = 1_000

export interface CancellableRun {
  readonly executionId: string
  cancel(mark: CancelMark): void
}

interface Watched {
  readonly queueName: string
  runs(): readonly CancellableRun[]
}

/** Delivers requests to cancel to the runs of this process. */
export interface CancelWatch {
  /** @returns a function to call when a run has started; the broker is only polled after that */
  watch(worker: Watched): () => void
  /** The request to cancel an execution that this process runs; null if there is none, or if the broker does not respond. */
  markOf(queueName: string, executionId: string): Promise<CancelMark | null>
  /** Call it when the execution has ended. */
  forget(executionId: string): void
  stop(): void
}

/**
 * Polls once a second for all workers of a process, on a connection that is open anyway, and not at all while nothing runs. On Redis, a
 * poll usually finds that there are no requests at all; in SQL, it reads the index of running jobs.
 */
export function createCancelWatch(store: Store, everyMs = ASKED_EVERY_MS): CancelWatch {
  const workers: Watched[] = []
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function wake(): void {
    if (timer !== undefined || isStopped) return
    timer = setTimeout(() => {
      void ask().catch(() => {}).finally(() => {
        timer = undefined
        if (workers.some(worker => worker.runs().length > 0)) wake()
      })
    }, everyMs)
    timer.unref()
  }

  async function ask(): Promise<void> {
    const busy = workers.filter(worker => worker.runs().length > 0)
    if (busy.length === 0) return
    const marks = await readMarks(store, busy)
    if (marks.size === 0) return
    for (const run of busy.flatMap(worker => worker.runs())) {
      const mark = marks.get(run.executionId)
      if (mark !== undefined) run.cancel(mark)
    }
  }

  return {
    watch(worker) {
      workers.push(worker)
      return wake
    },
    markOf: (queueName, executionId) => readMark(store, queueName, executionId).catch(() => null),
    forget(executionId) {
      if (store.kind === 'redis') store.client.hdel(cancelsKey(store.keyPrefix), executionId).catch(() => {})
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    }
  }
}

async function readMarks(store: Store, busy: readonly Watched[]): Promise<Map<string, CancelMark>> {
  const marks = new Map<string, CancelMark>()
  if (store.kind === 'redis') {
    const key = cancelsKey(store.keyPrefix)
    if (await store.client.exists(key) === 0) return marks
    for (const ids of inChunks(busy.flatMap(worker => worker.runs().map(run => run.executionId)), IDS_AT_A_TIME)) {
      const found = await store.client.hmget(key, ...ids)
      for (const [index, json] of found.entries()) {
        const mark = json === null ? null : cancelMarkOf({ id: ids[index]!, opts: { [CANCEL_FIELD]: JSON.parse(json) as unknown } })
        if (mark !== null) marks.set(ids[index]!, mark)
      }
    }
    return marks
  }
  const { rows } = await store.query<{ id: string; opts: object }>(
    inQueueSchema(store, `SELECT id, jsonb_build_object('${CANCEL_FIELD}', opts -> '${CANCEL_FIELD}') AS opts FROM {queue}.job
      WHERE queue = ANY($1::text[]) AND state = 'active' AND opts ? '${CANCEL_FIELD}'`),
    [busy.map(worker => worker.queueName)])
  for (const row of rows) {
    const mark = cancelMarkOf(row)
    if (mark !== null) marks.set(row.id, mark)
  }
  return marks
}

async function readMark(store: Store, queueName: string, executionId: string): Promise<CancelMark | null> {
  if (store.kind === 'redis') {
    const opts = await store.client.hget(`${store.keyPrefix}:${queueName}:${executionId}`, 'opts')
    return opts === null ? null : cancelMarkOf({ id: executionId, opts: JSON.parse(opts) as object })
  }
  const { rows } = await store.query<{ id: string; opts: object }>(
    inQueueSchema(store, 'SELECT id, opts FROM {queue}.job WHERE queue = $1 AND id = $2'), [queueName, executionId])
  return rows[0] === undefined ? null : cancelMarkOf(rows[0])
}
