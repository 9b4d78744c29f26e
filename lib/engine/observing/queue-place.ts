/** Where a queue that other code fills is on its server. */
export interface QueuePlace {
  /** Name of the task that stands for it: the queue's own, after the label of its source and a slash if that has one. */
  readonly taskName: string
  readonly name: string
  /** BullMQ's prefix of its keys. */
  readonly prefix: string
}
