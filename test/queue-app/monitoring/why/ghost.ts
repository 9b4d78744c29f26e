import { Worker } from 'bullmq'
import { connectBullmq } from '../../../../lib/engine/connection/bullmq-connection.ts'
import { queueNameFromTask } from '../../../../lib/engine/jobs/queue-name.ts'
import { createSharedLists } from '../../../../lib/queue-app/processes/shared-lists.ts'
import { createWorkerReports, type WorkerReport } from '../../../../lib/queue-app/processes/worker-reports.ts'
import type { Store } from '../../../../lib/stores/store.ts'

/** Writes a last report, a minute old, of a process that no longer exists, as after a SIGKILL. */
export async function reportGhost(store: Store, changes: Partial<WorkerReport> & Pick<WorkerReport, 'workerId'>): Promise<void> {
  const seenAt = await store.now() - 60_000
  await createWorkerReports(store.documents, createSharedLists<string>(store.documents, 'task-lists')).write({
    startedAt: seenAt, seenAt, isStopping: false, tasks: ['ghost'], concurrencies: [1], unreachable: 0, unwrittenSince: null,
    recordingProblem: null, host: 'ghost', pid: 1, version: '1', nodeVersion: '22', memoryBytes: 1, running: 1, runningOf: [], runs: [],
    ...changes
  })
}

/**
 * Takes the next job as BullMQ's worker does, with a lock that no one renews.
 * @returns its id; undefined if there is none
 */
export async function takeJob(
  store: Store, taskName: string, { workerId, lockMs }: { workerId: string; lockMs: number }
): Promise<string | undefined> {
  const { workers: connection, prefix, factory, prepare, close } = connectBullmq(store)
  await prepare()
  const worker = new Worker(queueNameFromTask(taskName), null, {
    connection, ...prefix !== undefined && { prefix }, name: workerId, autorun: false, lockDuration: lockMs, skipVersionCheck: true
  }, factory)
  worker.on('error', () => {})
  const job = await worker.getNextJob(`${workerId}-token`, { block: false })
  await worker.close(true)
  await close()
  return job?.id
}
