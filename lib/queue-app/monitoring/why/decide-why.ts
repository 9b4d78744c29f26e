import type { Standing } from '../../../engine/standing/standing.ts'
import { MINUTE_MS } from '../../../time/units.ts'
import type { RateLimit } from '../../tasks/rate-limit.ts'
import type { TaskWorkers } from './task-workers.ts'
import type { WhyFact } from './why.ts'

export interface StandingInputs {
  readonly standing: Standing
  /** Null if they cannot be read. */
  readonly workers: TaskWorkers | null
  /** The process that has the execution, if it is known and its heartbeats ended. */
  readonly lostWorker: { readonly lastSeenAt: number | null } | null
  /** What the task's processes apply. */
  readonly rateLimit: RateLimit | null
  /** Executions of its task that finished per minute; null if unknown. */
  readonly perMinute: number | null
}

/** What keeps an execution in the broker from running, most important first. Includes only what the inputs show. */
export function decideWhy(inputs: StandingInputs): readonly WhyFact[] {
  const { execution, state } = inputs.standing
  const { status, finishedAt } = execution
  if (status !== 'pending' && status !== 'running') return [{ kind: 'finished', status, finishedAt: finishedAt ?? inputs.standing.at }]
  return state === 'active' ? whyActive(inputs) : whyPending(inputs)
}

function whyActive(inputs: StandingInputs): readonly WhyFact[] {
  const { standing: { execution, lockedUntil }, lostWorker } = inputs
  const { workerId, startedAt } = execution
  if (lockedUntil === null) return [{ kind: 'stalled', workerId }, ...cancelling(inputs), ...queueHolds(inputs)]
  if (lostWorker !== null && workerId !== null) {
    return [
      { kind: 'worker_lost', workerId, lastSeenAt: lostWorker.lastSeenAt, lockedUntil }, ...cancelling(inputs), ...queueHolds(inputs)
    ]
  }
  return [...cancelling(inputs), { kind: 'running', since: startedAt, workerId, lockedUntil }]
}

function whyPending(inputs: StandingInputs): readonly WhyFact[] {
  const { standing: { at, state, dueAt, children, execution } } = inputs
  const others = [...queueHolds(inputs), ...cancelling(inputs)]
  if (state === 'waiting-children') return [{ kind: 'waiting_children', children }, ...others]
  if (dueAt !== null && dueAt > at) {
    const { attempt, maxAttempts, scheduleId } = execution
    const own: WhyFact = execution.state === 'retrying'
      ? { kind: 'retrying', until: dueAt, attempt, maxAttempts }
      : { kind: 'delayed', until: dueAt, scheduleId }
    return [own, ...others]
  }
  const isHeld = others.some(({ kind }) => kind !== 'cancelling')
  return [...others, ...turn(inputs, isHeld)]
}

/** What keeps everything in its queue from starting. */
function queueHolds({ standing: { pause }, workers }: StandingInputs): WhyFact[] {
  const facts: WhyFact[] = []
  if (pause !== null) facts.push({ kind: 'paused', pause })
  if (workers !== null && workers.taking === 0) {
    const { stopping, silent, refused } = workers
    facts.push(stopping + silent + refused === 0 ? { kind: 'no_worker' } : { kind: 'workers_unavailable', stopping, silent, refused })
  }
  return facts
}

/** What it has to wait for because of other executions, while its queue moves or once it does. */
function turn(inputs: StandingInputs, isHeld: boolean): WhyFact[] {
  const { standing, workers } = inputs
  const limits = [...concurrencyLimit(standing), ...rateLimited(inputs)]
  const behind = behindOthers(inputs, isHeld)
  const busy = workersBusy(workers)
  if (isHeld) return [...limits, ...behind]
  // If nothing finishes, hanging handlers are the reason, not the executions ahead of it.
  const isMoving = (inputs.perMinute ?? 0) > 0
  const own = isMoving ? [...behind, ...busy] : [...busy, ...behind]
  // While nothing finishes although workers are free, something else is wrong.
  const isStuck = !isMoving && (workers?.free ?? 0) > 0
  const isExplained = limits.length > 0 || busy.length > 0 || (behind.length > 0 && !isStuck)
  return isExplained
    ? [...limits, ...own]
    : [{ kind: 'unknown', workers: workers?.taking ?? null, free: workers?.free ?? null }, ...own]
}

function concurrencyLimit({ concurrencyLimit: limit, active }: Standing): WhyFact[] {
  return limit !== null && active.total >= limit ? [{ kind: 'concurrency_limit', limit, running: active.total }] : []
}

function rateLimited({ standing: { rateLimit: ofQueue, rateSpan }, rateLimit: ofTask }: StandingInputs): WhyFact[] {
  const limit = ofQueue ?? ofTask
  if (limit === null || rateSpan === null || rateSpan.started < limit.max) return []
  return [{ kind: 'rate_limited', until: rateSpan.endsAt, max: limit.max, durationMs: ofTask?.durationMs ?? limit.durationMs }]
}

function behindOthers({ standing: { ahead }, perMinute: measured }: StandingInputs, isHeld: boolean): WhyFact[] {
  if (ahead === null || ahead.value === 0) return []
  const perMinute = isHeld || measured === 0 ? null : measured
  return [{ kind: 'behind', ahead, perMinute, estimateMs: perMinute === null ? null : Math.round(ahead.value * MINUTE_MS / perMinute) }]
}

function workersBusy(workers: TaskWorkers | null): WhyFact[] {
  if (workers === null || workers.taking === 0 || workers.free !== 0 || workers.concurrency === null) return []
  return [{ kind: 'workers_busy', workers: workers.taking, concurrency: workers.concurrency }]
}

function cancelling({ standing: { execution: { cancellation } } }: StandingInputs): WhyFact[] {
  return cancellation === undefined ? [] : [{ kind: 'cancelling', since: cancellation.requestedAt, by: cancellation.requestedBy }]
}
