import type { ExecutionWhy, WhyFact as WireFact } from '../../../../schemas/why.ts'
import type { Why, WhyFact } from '../../../queue-app/monitoring/why/why.ts'
import { toPause } from '../queues/to-queue.ts'
import { toTimestamp, toTimestampOrNull } from '../wire-values.ts'
import { toWhySentence } from './to-why-sentence.ts'

/** @param tellsPause whether to include who paused a queue, and why */
export function toWhy({ facts, isKnown }: Why, tellsPause: boolean): ExecutionWhy {
  const told = tellsPause ? facts : facts.map(withoutPerson)
  return { sentence: toWhySentence(told), facts: told.map(toFact), known: isKnown }
}

function withoutPerson(fact: WhyFact): WhyFact {
  return fact.kind === 'paused' ? { kind: 'paused', pause: { ...fact.pause, by: null, reason: null } } : fact
}

function toFact(fact: WhyFact): WireFact {
  switch (fact.kind) {
    case 'finished': return { kind: fact.kind, status: fact.status, finished_at: toTimestamp(fact.finishedAt) }
    case 'running': return {
      kind: fact.kind, since: toTimestampOrNull(fact.since), worker_id: fact.workerId, locked_until: toTimestampOrNull(fact.lockedUntil)
    }
    case 'cancelling': return { kind: fact.kind, since: toTimestamp(fact.since), by: fact.by }
    case 'worker_lost': return {
      kind: fact.kind, worker_id: fact.workerId, last_seen_at: toTimestampOrNull(fact.lastSeenAt),
      locked_until: toTimestamp(fact.lockedUntil)
    }
    case 'stalled': return { kind: fact.kind, worker_id: fact.workerId }
    case 'delayed': return { kind: fact.kind, until: toTimestamp(fact.until), schedule_id: fact.scheduleId }
    case 'retrying':
      return { kind: fact.kind, until: toTimestamp(fact.until), attempt: fact.attempt, max_attempts: fact.maxAttempts }
    case 'paused': return { kind: fact.kind, pause: toPause(fact.pause) }
    case 'rate_limited': return { kind: fact.kind, until: toTimestamp(fact.until), max: fact.max, duration_ms: fact.durationMs }
    case 'behind': return {
      kind: fact.kind, ahead: { value: fact.ahead.value, relation: fact.ahead.relation }, per_minute: fact.perMinute,
      estimate_ms: fact.estimateMs
    }
    default: return fact
  }
}
