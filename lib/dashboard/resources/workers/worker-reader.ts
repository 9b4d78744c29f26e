import type { Worker } from '../../../../schemas/worker.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import type { Snapshots } from '../snapshots.ts'
import { toWorker } from './to-worker.ts'

export type WorkerReader = ReturnType<typeof createWorkerReader>

export function createWorkerReader(monitoring: Monitoring, snapshots: Snapshots) {
  return {
    list(): Promise<Worker[]> {
      return snapshots.read('workers', async () => (await answerOf(monitoring, () => monitoring.workers())).map(toWorker))
    }
  }
}
