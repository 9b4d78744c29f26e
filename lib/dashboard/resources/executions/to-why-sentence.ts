import type { CountRelation } from '../../../../schemas/page.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../time/units.ts'
import type { WhyFact } from '../../../queue-app/monitoring/why/why.ts'
import { cut, toTimestamp } from '../wire-values.ts'

const MAX_NAME_LENGTH = 100

/** The facts as one sentence. */
export function toWhySentence(facts: readonly WhyFact[]): string {
  const text = facts.map(clauseOf).join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function clauseOf(fact: WhyFact): string {
  switch (fact.kind) {
    case 'finished': return `it is over: it ${OUTCOMES[fact.status]} at ${time(fact.finishedAt)}`
    case 'running': return `it is running${since(fact.since)}${inProcess(fact.workerId)}`
    case 'cancelling': return `its handler was asked to stop at ${time(fact.since)}${by(fact.by)} and has not ended`
    case 'worker_lost':
      return `its process ${name(fact.workerId)} stopped responding${fact.lastSeenAt === null ? '' : ` after ${time(fact.lastSeenAt)}`}, ` +
        `and no other process can take it before ${time(fact.lockedUntil)}, when its lock expires`
    case 'stalled':
      return `the process that ran it${fact.workerId === null ? '' : `, ${name(fact.workerId)},`} no longer holds its lock, so the next ` +
        'process that looks for lost executions takes it back'
    case 'broker_unavailable': return `the broker ${FAILURES[fact.reason]}, so nothing can start, and its state is unknown`
    case 'backend_unavailable':
      return `the result backend ${FAILURES[fact.reason]}, so whether it has finished is unknown`
    case 'waiting_children': return fact.children === null
      ? 'it waits for executions that it depends on'
      : `it waits for ${count(fact.children, 'execution')} that it depends on`
    case 'delayed':
      return fact.scheduleId === null ? `it is not due until ${time(fact.until)}` : `its schedule plans it for ${time(fact.until)}`
    case 'retrying':
      return `attempt ${fact.attempt} of ${fact.maxAttempts} failed, and the next one is not due until ${time(fact.until)}`
    case 'paused': return `its queue is paused${by(fact.pause.by)}${since(fact.pause.since)}${until(fact.pause.until)}`
    case 'no_worker': return 'no process runs its task now'
    case 'workers_unavailable': return `no process takes its task now: ${unavailable(fact)}`
    case 'concurrency_limit':
      return `${fact.running} ${fact.running === 1 ? 'is' : 'are'} running, and its queue allows ${fact.limit} at a time across all ` +
        'processes'
    case 'rate_limited':
      return `the rate limit of ${fact.max}${fact.durationMs === null ? '' : ` per ${length(fact.durationMs)}`} is reached until ` +
        time(fact.until)
    case 'behind':
      return `${atLeast(fact.ahead)} ${fact.ahead.value === 1 ? 'execution starts' : 'executions start'} before it${pace(fact)}`
    case 'workers_busy': return fact.workers === 1
      ? `the process with its task is running as many as it can (${fact.concurrency})`
      : `all ${fact.workers} processes with its task are running as many as they can (${fact.concurrency} in total)`
    case 'unknown': return `nothing seems to be blocking it${fact.free === null || fact.workers === null
      ? ''
      : `: ${count(fact.workers, 'process', 'processes')} could take ${fact.free} more`}`
  }
}

const OUTCOMES = { success: 'succeeded', failed: 'failed', cancelled: 'was cancelled' } as const
const FAILURES = { unreachable: 'does not answer', refused: 'refuses requests' } as const

function unavailable({ stopping, silent, refused }: { stopping: number; silent: number; refused: number }): string {
  return [
    stopping > 0 && `${stopping} ${stopping === 1 ? 'is' : 'are'} stopping`,
    silent > 0 && `${silent} stopped responding`,
    refused > 0 && `the broker refuses ${refused}`
  ].filter(Boolean).join(', ')
}

function pace({ ahead, perMinute, estimateMs }: Extract<WhyFact, { kind: 'behind' }>): string {
  if (perMinute === null || estimateMs === null) return ''
  const [rate, unit] = perMinute >= 1 ? [perMinute, 'a minute'] : [perMinute * 60, 'an hour']
  return `, at ${Math.round(rate * 10) / 10} ${unit}: ${ahead.relation === 'exact' ? 'about' : 'at least'} ${length(estimateMs)}`
}

function atLeast({ value, relation }: { value: number; relation: CountRelation }): string {
  return relation === 'exact' ? String(value) : `at least ${value}`
}

function count(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`
}

function since(at: number | null): string { return at === null ? '' : ` since ${time(at)}` }
function until(at: number | null): string { return at === null ? '' : ` until ${time(at)}` }
function by(who: string | null): string { return who === null ? '' : ` by ${name(who)}` }
function inProcess(workerId: string | null): string { return workerId === null ? '' : ` in ${name(workerId)}` }

/** Other code may have put any text there. */
function name(text: string): string {
  const shown = cut(text, MAX_NAME_LENGTH).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
  return shown.length < text.length ? `${shown}…` : shown
}

function time(ms: number): string {
  return toTimestamp(ms).replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
}

function length(ms: number): string {
  const [unit, one, many] = UNITS.find(([unit]) => ms >= 2 * unit || (ms >= unit && ms % unit === 0)) ?? [1, 'ms', 'ms']
  return count(Math.round(ms / unit), one, many)
}

const UNITS: ReadonlyArray<readonly [ms: number, one: string, many: string]> = [
  [DAY_MS, 'day', 'days'], [HOUR_MS, 'hour', 'hours'], [MINUTE_MS, 'min', 'min'], [SECOND_MS, 's', 's']
]
