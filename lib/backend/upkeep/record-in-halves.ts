import type { FinishedExecution } from '../../execution.ts'
import { SupersededError } from '../../stores/documents/fence.ts'
import type { ResultBackend } from '../result-backend.ts'
import type { SlowRefusals } from './slow-refusals.ts'

export interface Recorded {
  /** How many were new. */
  readonly added: number
  /** Whether any was accepted, or none was tried. */
  readonly isTaken: boolean
  /** Why the first rejected one was rejected; null when all were accepted. */
  readonly refusal: unknown
}

export interface HalvesOptions {
  readonly slowRefusals: SlowRefusals
  readonly isStopped: () => boolean
  /**
   * Called after a slow refusal, which may be an outage: whether the backend responds and this process still holds the lease. Never
   * rejects.
   */
  readonly isThere: () => Promise<boolean>
}

/** A refusal slower than this may be an outage. It may also be the record itself. */
const REFUSED_WITHIN_MS = 1_000

/**
 * Records a batch. On refusal it bisects, so that one bad record does not block the rest. Rejects when `isStopped`, when another process
 * has taken over (SupersededError), when the backend is unavailable, and when the pass has used up its time for slow refusals.
 */
export async function recordInHalves(
  backend: Pick<ResultBackend, 'record'>, executions: readonly FinishedExecution[], options: HalvesOptions
): Promise<Recorded> {
  const due: FinishedExecution[] = []
  let setAside: { readonly refusal: unknown } | undefined
  for (const execution of executions) {
    const refused = options.slowRefusals.refusalOf(execution)
    if (refused === undefined) due.push(execution)
    else setAside ??= refused
  }
  const recorded = await recordDue(backend, due, options)
  return setAside === undefined ? recorded : { ...recorded, refusal: recorded.refusal ?? setAside.refusal }
}

async function recordDue(
  backend: Pick<ResultBackend, 'record'>, executions: readonly FinishedExecution[], options: HalvesOptions
): Promise<Recorded> {
  if (executions.length === 0) return { added: 0, isTaken: true, refusal: null }
  const { slowRefusals, isStopped, isThere } = options
  const begun = performance.now()
  try {
    return { added: await backend.record(executions), isTaken: true, refusal: null }
  } catch (error) {
    if (isStopped() || error instanceof SupersededError) throw error
    if (performance.now() - begun > REFUSED_WITHIN_MS) {
      if (!await isThere()) throw error
      const [only] = executions
      if (executions.length === 1) slowRefusals.setAside(only!, error)
      if (!slowRefusals.add()) throw error
    }
    if (executions.length === 1) return { added: 0, isTaken: false, refusal: error }
  }
  const middle = Math.floor(executions.length / 2)
  const one = await recordDue(backend, executions.slice(0, middle), options)
  const other = await recordDue(backend, executions.slice(middle), options)
  return { added: one.added + other.added, isTaken: one.isTaken || other.isTaken, refusal: one.refusal ?? other.refusal }
}
