import { inChunks } from '../../../collections/in-chunks.ts'
import type { ReadClient } from '../../../stores/redis/observing/read-client.ts'
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

/** Whether any of these keys of a queue exists. What is asked of one server in one turn is asked with few commands. */
export function hasAny(queue: RedisQueue, kinds: readonly QueueKey[]): Promise<boolean> {
  if (kinds.length === 0) return Promise.resolve(false)
  return new Promise((resolve, reject) => {
    const question = { keys: kinds.map(kind => queueKey(queue, kind)), resolve, reject }
    const asked = collected.get(queue.client)
    if (asked !== undefined) asked.push(question)
    else {
      collected.set(queue.client, [question])
      process.nextTick(ask, queue.client)
    }
  })
}

interface Question {
  readonly keys: readonly string[]
  resolve(isThere: boolean): void
  reject(error: unknown): void
}

const collected = new WeakMap<ReadClient, Question[]>()
const QUESTIONS_PER_COMMAND = 50

function ask(client: ReadClient): void {
  const questions = collected.get(client)!
  collected.delete(client)
  for (const chunk of inChunks(questions, QUESTIONS_PER_COMMAND)) {
    if (chunk.length === 1) askAlone(client, chunk[0]!)
    else {
      client.read<number>('EXISTS', ...chunk.flatMap(({ keys }) => keys)).then(count => {
        for (const question of chunk) if (count === 0) question.resolve(false); else askAlone(client, question)
      }, () => {
        // One of them may have keys that this user may not read, or that are on other nodes of a cluster.
        for (const question of chunk) askAlone(client, question)
      })
    }
  }
}

function askAlone(client: ReadClient, { keys, resolve, reject }: Question): void {
  client.read<number>('EXISTS', ...keys).then(count => { resolve(count > 0) }, (error: unknown) => {
    // In a cluster, the keys of a queue whose prefix has no hash tag are on several nodes. BullMQ cannot use it, but its keys may be there.
    if (error instanceof Error && error.message.startsWith('CROSSSLOT')) resolve(true)
    else reject(error)
  })
}

/** Whether a server answered that a key is of another type than the command is for. */
export function isOtherType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('WRONGTYPE')
}
