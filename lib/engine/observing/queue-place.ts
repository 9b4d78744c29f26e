/** Where an existing queue is on its server. */
export interface QueuePlace {
  /** Name of the task that represents the queue: the queue's own name, or `label/name` if its source has a label. */
  readonly taskName: string
  readonly name: string
  /** BullMQ's prefix of its keys; on PostgreSQL, the schema. */
  readonly prefix: string
}
