import { MAX_DATE_MS } from '../../time/latest-times.ts'

/** BullMQ gives runs of a scheduler ids that start with this. */
export const PLANNED_ID_PREFIX = 'repeat:'

/** The id that BullMQ gives to the job of a planned run. */
export function plannedJobId(schedulerId: string, plannedAt: number): string {
  return `${PLANNED_ID_PREFIX}${schedulerId}:${plannedAt}`
}

/** The scheduler that planned the job with this id; null if no scheduler did. */
export function schedulerOfJob(jobId: string): string | null {
  return /^repeat:(.+):\d{1,16}$/s.exec(jobId)?.[1] ?? null
}

/** The time for which a scheduler planned the job with this id; null if no scheduler did. Owners cannot choose such ids themselves. */
export function plannedTimeOfJob(jobId: string): number | null {
  const [, text] = /^repeat:.+:(\d{1,16})$/s.exec(jobId) ?? []
  return text === undefined || Number(text) > MAX_DATE_MS ? null : Number(text)
}
