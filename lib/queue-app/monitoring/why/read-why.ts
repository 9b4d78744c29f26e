import type { ResultBackend } from '../../../backend/result-backend.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Standing } from '../../../engine/standing/standing.ts'
import type { FinishedExecution } from '../../../execution.ts'
import { isStoreFailure } from '../../../stores/failures/unavailable.ts'
import { MINUTE_MS } from '../../../time/units.ts'
import type { KnownWorker } from '../../processes/worker-reports.ts'
import type { ShownRegistry } from '../../scope/scoped-registry.ts'
import { partOf } from '../../tasks/known-task.ts'
import { ofTasks, ONLY_ITSELF } from '../../tasks/parts-of-tasks.ts'
import { decideWhy } from './decide-why.ts'
import { workersOfTask } from './task-workers.ts'
import type { Why, WhyFact } from './why.ts'

export interface WhyDependencies {
  readonly engine: Pick<Engine, 'standing' | 'countsExactly'>
  readonly backend: Pick<ResultBackend, 'find' | 'rollups'>
  readonly registry: Pick<ShownRegistry, 'taskNames' | 'workers' | 'task' | 'knowsWorkers' | 'covered'>
}

/** Throughput covers these minutes. */
const MINUTES_MEASURED = 5

/** See `Monitoring.why`. Queries the broker once for the state of the execution, and once for the processes. */
export function createWhyReader({ engine, backend, registry }: WhyDependencies): (executionId: string) => Promise<Why | null> {
  return async executionId => {
    const asked = await orFailure(async () => {
      const [standing, workers] = await Promise.all([
        registry.taskNames().then(names => engine.standing(names, executionId)),
        registry.knowsWorkers ? valueOrNull(registry.workers()) : null
      ])
      return { standing, workers }
    })
    if ('value' in asked && asked.value.standing !== null) return whyStanding(asked.value.standing, asked.value.workers)

    const found = await orFailure(() => backend.find(executionId))
    if ('value' in found && found.value !== null) return whyFinished(found.value)
    const failures: WhyFact[] = [
      ...'reason' in asked ? [{ kind: 'broker_unavailable', reason: asked.reason } as const] : [],
      ...'reason' in found ? [{ kind: 'backend_unavailable', reason: found.reason } as const] : []
    ]
    return failures.length === 0 ? null : { taskName: null, facts: failures, isKnown: false }
  }

  async function whyStanding(standing: Standing, workers: readonly KnownWorker[] | null): Promise<Why> {
    const { taskName, workerId } = standing.execution
    const isBehind = standing.ahead !== null && standing.ahead.value > 0
    const [task, perMinute] = await Promise.all([
      valueOrNull(registry.task(taskName)), isBehind ? valueOrNull(throughputOf(standing)) : null
    ])
    const holder = workers?.find(worker => worker.workerId === workerId && worker.isSilent)
    const facts = decideWhy({
      standing,
      workers: workers && task?.type !== 'external' ? workersOfTask(workers, taskName, standing) : null,
      lostWorker: holder === undefined ? null : { lastSeenAt: holder.report?.seenAt ?? null },
      rateLimit: task?.rateLimit ?? null,
      perMinute
    })
    return { taskName, facts, isKnown: facts[0]!.kind !== 'unknown' }
  }

  /**
   * Executions per minute. Uses the broker's clock, because this process's clock may be wrong. Roll-ups leave out cancelled executions.
   * Null if the reader may not see everything that its queue runs.
   */
  async function throughputOf({ at, execution: { taskName } }: Standing): Promise<number | null> {
    const since = Math.floor(at / MINUTE_MS - MINUTES_MEASURED) * MINUTE_MS
    // The jobs ahead of it in its queue may have other names.
    const task = await registry.task(taskName)
    const ofQueue = (task && partOf(task)) ?? taskName
    const { covered = ONLY_ITSELF } = registry
    const names = covered(ofQueue)
    if (engine.countsExactly?.(names) === false) return null
    const minutes = await backend.rollups({ ...ofTasks(ofQueue, names), span: 'minute', fromMs: since, toMs: at })
    const finished = minutes.reduce((sum, { startMs, tally }) => startMs < since ? sum : sum + tally.success + tally.failed, 0)
    return finished * MINUTE_MS / (at - since)
  }
}

function whyFinished({ taskName, status, finishedAt }: FinishedExecution): Why {
  return { taskName, facts: [{ kind: 'finished', status, finishedAt }], isKnown: true }
}

type Asked<Value> = { readonly value: Value } | { readonly reason: 'unreachable' | 'refused' }

async function orFailure<Value>(ask: () => Promise<Value>): Promise<Asked<Value>> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return { reason: error.code === 'STORE_REFUSED' ? 'refused' : 'unreachable' }
  }
}

/** For values that add to the response, but must not prevent it. */
async function valueOrNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  const asked = await orFailure(() => reading)
  return 'value' in asked ? asked.value : null
}
