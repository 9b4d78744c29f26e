import type { JobFields } from './job-fields.ts'

/** A job as one script, or one statement, saw it: its state, its fields and its log belong together. */
export interface FoundJob {
  readonly job: JobFields
  /** As BullMQ names it. */
  readonly state: string
  /** The last lines, oldest first. */
  readonly logs: readonly string[]
}
