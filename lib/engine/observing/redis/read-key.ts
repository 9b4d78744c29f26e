import { inChunks } from '../../../collections/in-chunks.ts'
import type { ReadClient } from '../../../stores/redis/observing/read-client.ts'
import type { ReadCommand } from '../../../stores/redis/observing/read-commands.ts'
import type { ShortCommand } from '../../../stores/redis/observing/read-together.ts'
import { queueKey, type QueueKey, type RedisQueue } from './redis-queue.ts'

/**
 * Reads a key of a queue. If another tool uses its name, the key may be of another type. It then holds no job of the queue, and this
 * returns `empty`, so that reads of many queues can continue.
 * @param empty what is returned for a key that does not exist
 */
export function readKey<Answer>(
  queue: RedisQueue, kind: QueueKey, empty: Answer, command: ReadCommand, ...parameters: ReadonlyArray<string | number>
): Promise<Answer> {
  return queue.client.read<Answer>(command, queueKey(queue, kind), ...parameters)
    .catch((error: unknown) => orEmpty(queue, kind, empty, error))
}

/** One read of a key; see `readKey`. */
export interface KeyRead<Answer> {
  readonly queue: RedisQueue
  readonly kind: QueueKey
  readonly empty: Answer
  readonly command: ShortCommand
  readonly parameters?: ReadonlyArray<string | number>
}

/** Reads keys of queues that have the same client, in few commands. */
export async function readKeys<Answer>(reads: ReadonlyArray<KeyRead<Answer>>): Promise<Answer[]> {
  return (await tryKeys(reads)).map(answer => {
    if (answer instanceof Error) throw answer
    return answer
  })
}

/** Like `readKeys`, but returns an error in place of each value that could not be read. */
export async function tryKeys<Answer>(reads: ReadonlyArray<KeyRead<Answer>>): Promise<Array<Answer | Error>> {
  if (reads.length === 0) return []
  const answers = await reads[0]!.queue.client.readAll(reads.map(({ queue, kind, command, parameters = [] }) =>
    [command, queueKey(queue, kind), ...parameters]))
  return answers.map((answer, index) => {
    const { queue, kind, empty } = reads[index]!
    if (!isOtherType(answer)) return answer as Answer | Error
    queue.noteOddKey?.(kind)
    return empty
  })
}

function orEmpty<Answer>(queue: RedisQueue, kind: QueueKey, empty: Answer, error: unknown): Answer {
  if (!isOtherType(error)) throw error
  queue.noteOddKey?.(kind)
  return empty
}

/** Keys of a queue. */
export interface KeysOfQueue {
  readonly queue: RedisQueue
  readonly kinds: readonly QueueKey[]
}

const QUEUES_PER_COMMAND = 50

/** Which queues have any of these keys. All queues have the same client. If most queues have none, this needs few commands. */
export async function whichHaveAny(asked: readonly KeysOfQueue[]): Promise<Set<RedisQueue>> {
  const some = asked.filter(({ kinds }) => kinds.length > 0)
  if (some.length === 0) return new Set()
  const { client } = some[0]!.queue
  const chunks = inChunks(some, QUEUES_PER_COMMAND)
  const counts = await countKeys(client, chunks)
  // A count over several queues does not tell which of them have keys. It may also be an error because of one of them, whose keys this user
  // may not read or are on several nodes of a cluster.
  const unsure = chunks.filter((chunk, index) => chunk.length > 1 && counts[index] !== 0).flat()
  const alone = chunks.flatMap((chunk, index) => chunk.length === 1 ? [[chunk[0]!, counts[index]] as const] : [])
  const again = unsure.length === 0 ? [] : await countKeys(client, unsure.map(each => [each]))
  const known = [...alone, ...unsure.map((each, index) => [each, again[index]] as const)]
  return new Set(known.flatMap(([{ queue }, count]) => isAny(count) ? [queue] : []))
}

function countKeys(client: ReadClient, groups: ReadonlyArray<readonly KeysOfQueue[]>): Promise<unknown[]> {
  return client.readAll(groups.map(group => {
    const [first, ...others] = group.flatMap(({ queue, kinds }) => kinds.map(kind => queueKey(queue, kind)))
    return ['EXISTS', first!, ...others]
  }))
}

function isAny(count: unknown): boolean {
  if (!(count instanceof Error)) return Number(count) > 0
  // In a cluster, the keys of a queue whose prefix has no hash tag are on several nodes. BullMQ cannot use such a queue, but its keys may
  // exist.
  if (count.message.startsWith('CROSSSLOT')) return true
  throw count
}

/** Whether a server answered that a key is of another type than the command is for. */
export function isOtherType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('WRONGTYPE')
}

/** For keys of single jobs and schedulers, which another tool may use as well. Rethrows any other error. */
export function nullIfOtherType(error: unknown): null {
  if (isOtherType(error)) return null
  throw error
}
