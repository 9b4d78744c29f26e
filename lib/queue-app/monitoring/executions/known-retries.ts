import type { ResultBackend } from '../../../backend/result-backend.ts'
import { remembered } from '../../../collections/remembered.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Execution } from '../../../execution.ts'
import { unlessAway } from '../../../stores/failures/unavailable.ts'
import { RETRIES_WITHIN_MS } from '../../../time/budgets.ts'
import { orLate } from '../../../time/deadline.ts'
import { retryIdOf } from '../../operations/retry-id.ts'

const MAX_IDS_KEPT = 5_000

interface Stores {
  readonly engine: Pick<Engine, 'findMany'>
  readonly backend: Pick<ResultBackend, 'findMany'>
}

/** Takes at most 200 executions, as many as a page has. */
export type KnownRetries = (executions: readonly Execution[]) => Promise<ReadonlyMap<string, Execution>>

/**
 * Finds the retries of failed executions in the history and the broker, by the id of the original. A store that is slow or out of reach is
 * ignored, because a list does not need its retries.
 */
export function createKnownRetries({ engine, backend }: Stores): KnownRetries {
  // A page that stays open requests the same executions again and again. Computing these ids would take a tenth of the time.
  const idOfRetry = remembered(retryIdOf, MAX_IDS_KEPT)
  return async executions => {
    // Leaves out jobs of observed queues: they are retried under the same id.
    const originals = executions.filter(({ status, jobName }) => status === 'failed' && jobName === undefined)
    if (originals.length === 0) return new Map()
    const originalOf = new Map(originals.map(({ executionId }) => [idOfRetry(executionId), executionId]))
    const ids = [...originalOf.keys()]
    const taskNames = [...new Set(originals.map(({ taskName }) => taskName))]
    // The broker keeps a finished retry for longer than it takes to record it, so one of the two has it.
    const [waiting, recorded] = await Promise.all([
      inTime(engine.findMany(taskNames, ids)), inTime(backend.findMany(ids, { payloads: false }))
    ])
    return new Map([...waiting, ...recorded].map(retry => [originalOf.get(retry.executionId)!, retry]))
  }
}

async function inTime(reading: Promise<Execution[]>): Promise<Execution[]> {
  return await orLate(unlessAway(reading), RETRIES_WITHIN_MS, null) ?? []
}
