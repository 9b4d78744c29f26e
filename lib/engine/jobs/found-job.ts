import type { JobFields } from './job-fields.ts'

/** A job read by one script or statement, so that its state, fields and log are consistent. */
export interface FoundJob {
  readonly job: JobFields
  /** In BullMQ's naming. */
  readonly state: string
  /** The last lines, oldest first. */
  readonly logs: readonly string[]
}
