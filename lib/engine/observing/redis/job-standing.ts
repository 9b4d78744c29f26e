import { MAX_COUNTED_AHEAD, MAX_ACTIVE_LOOKED_AT, type Standing } from '../../standing/standing.ts'
import { limitsFrom } from '../../limiting/queue-limits.ts'
import { UNKNOWN_PAUSE } from '../../pausing/queue-pause.ts'
import { executionFromObserved } from '../observed-job.ts'
import type { FoundInQueue } from '../observed-server.ts'
import { LIST_SEARCHED, positionIn } from './find-job.ts'
import { readSettings } from './queue-lists.ts'
import { readKey } from './read-key.ts'
import { jobKey, queueKey, type RedisQueue } from './redis-queue.ts'

/** Where a job stands and what its queue allows. Read with several commands, so it may be a moment apart. */
export async function standingOf(queue: RedisQueue, { job, state }: FoundInQueue): Promise<Standing> {
  const { client } = queue
  const [at, settings, total, lockLeft, children, ahead, limiter] = await Promise.all([
    client.now(),
    readSettings(queue),
    readKey(queue, 'active', 0, 'LLEN'),
    state === 'active' ? client.read<number>('PTTL', `${jobKey(queue, job.id)}:lock`) : -1,
    state === 'waiting-children' ? client.read<number>('SCARD', `${jobKey(queue, job.id)}:dependencies`) : null,
    aheadOf(queue, job.id, state),
    Promise.all([readKey<string | null>(queue, 'limiter', null, 'GET'), client.read<number>('PTTL', queueKey(queue, 'limiter'))])
  ])
  const limits = limitsFrom(settings, null)
  const [started, spanLeft] = limiter
  return {
    execution: { ...executionFromObserved(job, state, at), progress: null, error: null },
    at,
    state,
    dueAt: state === 'delayed' ? job.dueAt : null,
    ahead,
    pause: settings.isPaused ? UNKNOWN_PAUSE : null,
    concurrencyLimit: limits?.concurrency ?? null,
    rateLimit: limits?.rate ?? null,
    rateSpan: spanLeft > 0 ? { started: Number(started), endsAt: at + spanLeft } : null,
    // Their workers have names of their own.
    active: { total, byWorker: new Map(), isAll: total <= MAX_ACTIVE_LOOKED_AT },
    lockedUntil: lockLeft > 0 ? at + lockLeft : null,
    children
  }
}

/** BullMQ takes what waits before what has a priority. */
async function aheadOf(queue: RedisQueue, jobId: string, state: string): Promise<Standing['ahead']> {
  if (state !== 'waiting' && state !== 'prioritized') return null
  const [wait, paused] = state === 'waiting'
    ? await Promise.all([positionIn(queue, 'wait', jobId), positionIn(queue, 'paused', jobId)])
    : [await readKey(queue, 'wait', 0, 'LLEN'), null]
  const before = wait ?? paused ?? 0
  const score = state === 'prioritized' ? await readKey<string | null>(queue, 'prioritized', null, 'ZSCORE', jobId) : null
  const urgent = score === null ? 0 : await readKey(queue, 'prioritized', 0, 'ZCOUNT', '-inf', `(${score}`)
  const value = Math.min(before + urgent, MAX_COUNTED_AHEAD)
  return { value, relation: before >= LIST_SEARCHED || before + urgent > MAX_COUNTED_AHEAD ? 'at_least' : 'exact' }
}
