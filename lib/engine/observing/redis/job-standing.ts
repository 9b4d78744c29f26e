import type { Standing } from '../../standing/standing.ts'
import type { FoundInQueue } from '../observed-server.ts'
import { standingFrom, waitsInLine, type PlaceFacts } from '../observed-standing.ts'
import { MAX_LIST_SEARCHED, positionIn } from './find-job.ts'
import { readSettings } from './read-queues.ts'
import { nullIfOtherType, readKey } from './read-key.ts'
import { jobKey, queueKey, type RedisQueue } from './redis-queue.ts'

/** A job's place in its queue and the queue's limits. Read with several commands, so the parts may be a moment apart. */
export async function standingOf(queue: RedisQueue, found: FoundInQueue): Promise<Standing> {
  const { client } = queue
  const { job, state } = found
  const [at, [settings], running, lockLeft, children, ahead, limiter] = await Promise.all([
    client.now(),
    readSettings([queue]),
    readKey(queue, 'active', 0, 'LLEN'),
    state === 'active' ? client.read<number>('PTTL', `${jobKey(queue, job.id)}:lock`) : -1,
    state === 'waiting-children'
      ? client.read<number>('SCARD', `${jobKey(queue, job.id)}:dependencies`).catch(nullIfOtherType)
      : null,
    aheadOf(queue, job.id, state),
    Promise.all([readKey<string | null>(queue, 'limiter', null, 'GET'), client.read<number>('PTTL', queueKey(queue, 'limiter'))])
  ])
  const [started, spanLeft] = limiter
  return standingFrom(found, at, {
    settings: settings!,
    running,
    ahead,
    rateSpan: spanLeft > 0 ? { started: Number(started), endsAt: at + spanLeft } : null,
    lockedUntil: lockLeft > 0 ? at + lockLeft : null,
    children
  })
}

/** BullMQ takes waiting jobs without a priority before those with one. */
async function aheadOf(queue: RedisQueue, jobId: string, state: string): Promise<PlaceFacts['ahead']> {
  if (!waitsInLine(state)) return { count: 0, isCut: false }
  const [wait, paused] = state === 'waiting'
    ? await Promise.all([positionIn(queue, 'wait', jobId), positionIn(queue, 'paused', jobId)])
    : [await readKey(queue, 'wait', 0, 'LLEN'), null]
  const before = wait ?? paused ?? 0
  const score = state === 'prioritized' ? await readKey<string | null>(queue, 'prioritized', null, 'ZSCORE', jobId) : null
  const urgent = score === null ? 0 : await readKey(queue, 'prioritized', 0, 'ZCOUNT', '-inf', `(${score}`)
  return { count: before + urgent, isCut: before >= MAX_LIST_SEARCHED }
}
