import { invalidInput } from '../../../errors.ts'

/** The owner's job has data that only the owner may change. */
export function refuseArguments(): never {
  throw invalidInput('/args', 'must be absent: a job of an existing queue is retried with its own data')
}

/** The due time of a job belongs to its owner, and BullMQ has no command that changes it for a waiting job. */
export function refuseDueTime(): never {
  throw invalidInput('/due_at', 'must be absent: only the priority of a job of an existing queue can be changed')
}

/** No process of ours is certain to run when the pause should end. */
export function refuseEnd(): never {
  throw invalidInput('/until', 'must be absent: an existing queue stays paused until someone resumes it')
}
