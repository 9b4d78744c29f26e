import t from 'tap'
import type { Standing } from '../../../../lib/engine/standing/standing.ts'
import { UNKNOWN_PAUSE } from '../../../../lib/engine/pausing/queue-pause.ts'
import { decideWhy, type StandingInputs } from '../../../../lib/queue-app/monitoring/why/decide-why.ts'
import type { TaskWorkers } from '../../../../lib/queue-app/monitoring/why/task-workers.ts'

const NOW = Date.UTC(2026, 10, 20, 9)
const MINUTE_MS = 60_000

type Changes = Partial<Omit<StandingInputs, 'standing' | 'workers'>> & {
  readonly standing?: Partial<Omit<Standing, 'execution'>>
  readonly execution?: Partial<Standing['execution']>
  readonly workers?: Partial<TaskWorkers> | null
}

const FREE: TaskWorkers = { taking: 2, stopping: 0, silent: 0, refused: 0, concurrency: 4, free: 3 }
const BUSY = { free: 0 }
const behind = (value: number) => ({ ahead: { value, relation: 'exact' } as const })

function inputs({ standing, execution, workers = {}, ...rest }: Changes): StandingInputs {
  return {
    standing: {
      execution: {
        executionId: 'e-1', taskName: 'a', queue: 'a', status: 'pending', state: 'waiting', attempt: 0, maxAttempts: 3, priority: 0,
        scheduleId: null, retryOf: null, workerId: null, submittedAt: NOW - 1_000, startedAt: null, finishedAt: null, waitMs: null,
        durationMs: null, progress: null, error: null, errorGroup: null, ...execution
      },
      at: NOW, state: 'waiting', dueAt: null, ahead: { value: 0, relation: 'exact' }, pause: null, concurrencyLimit: null, rateLimit: null,
      rateSpan: null, active: { total: 0, byWorker: new Map(), isAll: true }, lockedUntil: null, children: null, ...standing
    },
    workers: workers && { ...FREE, ...workers },
    lostWorker: null, rateLimit: null, perMinute: null, ...rest
  }
}

const NONE = { taking: 0, concurrency: 0, free: 0 }
const SPAN = { started: 5, endsAt: NOW + 7_000 }
const active = (changes: Changes = {}): Changes => ({
  ...changes, standing: { state: 'active', ahead: null, lockedUntil: NOW + 20_000, ...changes.standing },
  execution: { status: 'running', state: 'active', attempt: 1, workerId: 'w', startedAt: NOW - 5_000, ...changes.execution }
})
const cancellation = { requestedAt: NOW - 1, requestedBy: 'ada', reason: null }

const CASES: ReadonlyArray<readonly [title: string, changes: Changes, facts: readonly object[]]> = [
  ['nothing keeps it', {}, [{ kind: 'unknown', workers: 2, free: 3 }]],
  ['nothing is known about processes', { workers: null }, [{ kind: 'unknown', workers: null, free: null }]],
  ['a process does not report what it allows', { workers: { concurrency: null, free: null } }, [
    { kind: 'unknown', workers: 2, free: null }
  ]],
  ['paused', { standing: { pause: UNKNOWN_PAUSE } }, [{ kind: 'paused', pause: UNKNOWN_PAUSE }]],
  ['paused, and no process: both', { standing: { pause: UNKNOWN_PAUSE, ...behind(2) }, workers: NONE, perMinute: 9 }, [
    { kind: 'paused' }, { kind: 'no_worker' }, { kind: 'behind', perMinute: null, estimateMs: null }
  ]],
  ['no process', { workers: NONE }, [{ kind: 'no_worker' }]],
  ['only processes that take nothing', { workers: { ...NONE, stopping: 1, silent: 2, refused: 3 } }, [
    { kind: 'workers_unavailable', stopping: 1, silent: 2, refused: 3 }
  ]],
  ['one of three is left', { workers: { taking: 1, silent: 2 } }, [{ kind: 'unknown' }]],
  ['all slots are taken', { workers: BUSY }, [{ kind: 'workers_busy', workers: 2, concurrency: 4 }]],
  ['others first, at a pace', { standing: behind(30), workers: BUSY, perMinute: 10 }, [
    { kind: 'behind', ahead: { value: 30, relation: 'exact' }, perMinute: 10, estimateMs: 3 * MINUTE_MS }, { kind: 'workers_busy' }
  ]],
  ['others first, and nothing finishes', { standing: behind(30), workers: BUSY, perMinute: 0 }, [
    { kind: 'workers_busy' }, { kind: 'behind', perMinute: null, estimateMs: null }
  ]],
  ['others first while the queue moves, with a free slot for a moment', { standing: behind(3), perMinute: 60 }, [
    { kind: 'behind', estimateMs: 3_000 }
  ]],
  ['others first, and no worker takes them although there are free slots', { standing: behind(3), perMinute: 0 }, [
    { kind: 'unknown', free: 3 }, { kind: 'behind', estimateMs: null }
  ]],
  ['others first, and the pace cannot be read', { standing: behind(3), workers: null }, [{ kind: 'behind', perMinute: null }]],
  ['the rate limit of the task is reached', { standing: { rateSpan: SPAN }, rateLimit: { max: 5, durationMs: 10_000 } }, [
    { kind: 'rate_limited', until: SPAN.endsAt, max: 5, durationMs: 10_000 }
  ]],
  ['it is not reached', { standing: { rateSpan: SPAN }, rateLimit: { max: 6, durationMs: 10_000 } }, [{ kind: 'unknown' }]],
  ['the rate limit of the queue comes first', {
    standing: { rateSpan: SPAN, rateLimit: { max: 2, durationMs: 60_000 } }, rateLimit: { max: 6, durationMs: 10_000 }
  }, [{ kind: 'rate_limited', max: 2, durationMs: 10_000 }]],
  ['a span without a limit', { standing: { rateSpan: SPAN } }, [{ kind: 'unknown' }]],
  ['the limit of the queue is reached', { standing: { concurrencyLimit: 2, active: { total: 2, byWorker: new Map(), isAll: true } } }, [
    { kind: 'concurrency_limit', limit: 2, running: 2 }
  ]],
  ['it is not reached', { standing: { concurrencyLimit: 2, active: { total: 1, byWorker: new Map(), isAll: true } } }, [
    { kind: 'unknown' }
  ]],
  ['delayed', { standing: { state: 'delayed', dueAt: NOW + 1, ahead: null }, execution: { state: 'delayed' } }, [
    { kind: 'delayed', until: NOW + 1, scheduleId: null }
  ]],
  ['delayed, and paused besides', {
    standing: { state: 'delayed', dueAt: NOW + 1, ahead: null, pause: UNKNOWN_PAUSE }, execution: { state: 'delayed', scheduleId: 's' }
  }, [{ kind: 'delayed', scheduleId: 's' }, { kind: 'paused' }]],
  ['delayed and due, but no worker moves it', { standing: { state: 'delayed', dueAt: NOW }, workers: NONE }, [{ kind: 'no_worker' }]],
  ['between two attempts', {
    standing: { state: 'delayed', dueAt: NOW + 9, ahead: null }, execution: { state: 'retrying', attempt: 1 }
  }, [{ kind: 'retrying', until: NOW + 9, attempt: 1, maxAttempts: 3 }]],
  ['the retry is due', { standing: { state: 'delayed', dueAt: NOW - 9 }, execution: { state: 'retrying', attempt: 1 }, workers: BUSY }, [
    { kind: 'workers_busy' }
  ]],
  ['waits for others', { standing: { state: 'waiting-children', ahead: null, children: 3 }, workers: NONE }, [
    { kind: 'waiting_children', children: 3 }, { kind: 'no_worker' }
  ]],
  ['runs', active(), [{ kind: 'running', since: NOW - 5_000, workerId: 'w', lockedUntil: NOW + 20_000 }]],
  ['runs in an unknown process', active({ workers: null }), [{ kind: 'running' }]],
  ['runs, although its queue is paused', active({ standing: { pause: UNKNOWN_PAUSE } }), [{ kind: 'running' }]],
  ['is being cancelled', active({ execution: { cancellation } }), [
    { kind: 'cancelling', since: NOW - 1, by: 'ada' }, { kind: 'running' }
  ]],
  ['its process stopped responding', active({ lostWorker: { lastSeenAt: NOW - 25_000 } }), [
    { kind: 'worker_lost', workerId: 'w', lastSeenAt: NOW - 25_000, lockedUntil: NOW + 20_000 }
  ]],
  ['its process stopped responding, was asked to stop it, and there is no other', active({
    lostWorker: { lastSeenAt: null }, workers: NONE, execution: { cancellation }
  }), [{ kind: 'worker_lost' }, { kind: 'cancelling' }, { kind: 'no_worker' }]],
  ['its lock ended', active({ standing: { lockedUntil: null } }), [{ kind: 'stalled', workerId: 'w' }]],
  ['its lock ended, and there is no process', active({ standing: { lockedUntil: null }, workers: NONE }), [
    { kind: 'stalled' }, { kind: 'no_worker' }
  ]],
  ['finished', { execution: { status: 'cancelled', finishedAt: NOW - 3 }, standing: { state: 'failed' } }, [
    { kind: 'finished', status: 'cancelled', finishedAt: NOW - 3 }
  ]]
]

for (const [title, changes, facts] of CASES) {
  t.test(title, async t => {
    const decided = decideWhy(inputs(changes))
    t.equal(decided.length, facts.length, JSON.stringify(decided))
    t.match(decided, facts)
  })
}
