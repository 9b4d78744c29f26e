import { parsed } from '../../json/foreign-json.ts'
import type { JobFields } from './job-fields.ts'

/** Field names in a job's hash, in the order that `jobFromRedis` expects. */
export const REDIS_JOB_FIELDS = [
  'name', 'opts', 'timestamp', 'processedOn', 'finishedOn', 'atm', 'ats', 'failedReason', 'stacktrace', 'returnvalue', 'progress', 'pb',
  'rjk', 'data'
] as const

/** BullMQ's score of a delayed job: its due time multiplied by this, plus a counter that keeps jobs of the same millisecond in order. */
export const DELAYED_SCORE_PER_MS = 0x1000
/** BullMQ's score of a prioritized job: its priority multiplied by this, plus a counter. */
export const PRIORITIZED_SCORE_PER_LEVEL = 0x100000000

export type RedisJobValues = ReadonlyArray<string | null>

/** @param values the values of REDIS_JOB_FIELDS, null where absent */
export function jobFromRedis(queueName: string, id: string, values: RedisJobValues): JobFields {
  const [name, opts, timestamp, processedOn, finishedOn, atm, ats, failedReason, stacktrace, returnvalue, progress, pb, rjk, data] = values
  return {
    queueName,
    id,
    name: name ?? '',
    opts: objectFrom(opts),
    timestamp: Number(timestamp ?? 0),
    processedOn: numberFrom(processedOn),
    finishedOn: numberFrom(finishedOn),
    attemptsMade: Number(atm ?? 0),
    attemptsStarted: Number(ats ?? 0),
    failedReason: failedReason || undefined,
    stacktrace: arrayFrom(stacktrace),
    returnvalue: parsed(returnvalue),
    progress: (parsed(progress) ?? 0),
    processedBy: pb ?? undefined,
    repeatJobKey: rjk || undefined,
    data: objectFrom(data)
  } as JobFields
}

function numberFrom(value: string | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

function objectFrom(json: string | null | undefined): object {
  const value = parsed(json)
  return typeof value === 'object' && value !== null ? value : {}
}

function arrayFrom(json: string | null | undefined): string[] {
  const value = parsed(json)
  return Array.isArray(value) ? value.map(String) : []
}
