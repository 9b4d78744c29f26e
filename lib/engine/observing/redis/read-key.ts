import type { ReadCommand } from '../../../stores/redis/observing/read-commands.ts'
import { queueKey, type QueueKey, type RedisQueue } from './redis-queue.ts'

/**
 * Reads a key of a queue. If it is of another type, because another tool uses its name, no job of the queue is in it, and reads of many
 * queues go on.
 * @param empty the answer then, which is that of a key that does not exist
 */
export function readKey<Answer>(
  queue: RedisQueue, kind: QueueKey, empty: Answer, command: ReadCommand, ...parameters: ReadonlyArray<string | number>
): Promise<Answer> {
  return queue.client.read<Answer>(command, queueKey(queue, kind), ...parameters).catch((error: unknown) => {
    if (!isOtherType(error)) throw error
    queue.noteOddKey?.(kind)
    return empty
  })
}

/** Whether any of these keys of a queue exists. */
export async function hasAny(queue: RedisQueue, kinds: readonly QueueKey[]): Promise<boolean> {
  if (kinds.length === 0) return false
  try {
    return await queue.client.read<number>('EXISTS', ...kinds.map(kind => queueKey(queue, kind))) > 0
  } catch (error) {
    // In a cluster, the keys of a queue whose prefix has no hash tag are on several nodes. BullMQ cannot use it, but its keys may be there.
    if (error instanceof Error && error.message.startsWith('CROSSSLOT')) return true
    throw error
  }
}

/** Whether a server answered that a key is of another type than the command is for. */
export function isOtherType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('WRONGTYPE')
}
