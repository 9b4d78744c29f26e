import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import { writtenBy } from './answer.ts'
import type { Snapshots } from './snapshots.ts'

export type Write = <Result>(change: () => Promise<Result>) => Promise<Result>

/** Runs a write within its deadline. Earlier snapshots are stale afterwards, even if the response to the write got lost. */
export function createWrite(patience: Pick<Monitoring, 'patienceMs'>, snapshots: Pick<Snapshots, 'clear'>): Write {
  return async change => {
    try {
      return await writtenBy(patience, change)
    } finally {
      snapshots.clear()
    }
  }
}
