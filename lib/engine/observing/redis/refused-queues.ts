import { firstOf } from '../../../collections/first-of.ts'
import { groupBy } from '../../../collections/group-by.ts'
import { storeRefusalOf } from '../../../stores/failures/store-refusal.ts'
import { isRefusal, isRefusedKey } from '../../../stores/redis/observing/read-client.ts'
import { MINUTE_MS } from '../../../time/units.ts'
import type { RedisQueue } from './redis-queue.ts'

/** Queues with keys that the user may not read, although the user may read other queues of the server; and refused commands. */
export interface RefusedQueues {
  /**
   * Reads items of many queues at once. If a key is refused, each queue is read by itself.
   * @param what names the kind of read
   * @returns a value for each item, or an error for each item of a queue that is refused. Rejects with any other error
   */
  apart<Item, Value>(
    what: string, items: readonly Item[], queueOf: (item: Item) => RedisQueue,
    read: (items: readonly Item[]) => Promise<readonly Value[]>
  ): Promise<Array<Value | Error>>
  /** Whether a key of the queue is refused, or a command that reads all queues. */
  has(taskName: string): boolean
  forget(isShown: (taskName: string) => boolean): void
  /** As sentences without a full stop. */
  problems(): string[]
}

/** Further queues are only counted. */
const MAX_NAMED = 3
/** The process that records counts the jobs of each queue every minute. Reads of other kinds may not be repeated once they are allowed. */
const STANDS_FOR_MS = 3 * MINUTE_MS

export function createRefusedQueues(label: string): RefusedQueues {
  /** Why each of them is refused, by task name. They are read by themselves from the start. */
  const refused = new Map<string, string>()
  /** Why kinds of reads are refused for all queues: the user may not run a command, or the server does not know it. */
  const commands = new Map<string, { readonly reason: string; readonly at: number }>()
  const standing = (): string[] =>
    [...commands.values()].flatMap(({ reason, at }) => performance.now() - at > STANDS_FOR_MS ? [] : [reason])

  return {
    async apart<Item, Value>(
      what: string, items: readonly Item[], queueOf: (item: Item) => RedisQueue,
      read: (items: readonly Item[]) => Promise<readonly Value[]>
    ) {
      const answers: Array<Value | Error> = []
      const put = (indexes: readonly number[], valueOf: (at: number) => Value | Error): void => {
        for (const [at, index] of indexes.entries()) answers[index] = valueOf(at)
      }
      const readAt = (indexes: readonly number[]): Promise<readonly Value[]> => read(indexes.map(index => items[index]!))
      const taskOf = (index: number): string => queueOf(items[index]!).taskName

      async function readTogether(indexes: readonly number[]): Promise<void> {
        if (indexes.length === 0) return
        try {
          const values = await readAt(indexes)
          put(indexes, at => values[at]!)
        } catch (error) {
          if (!isRefusedKey(error)) throw error
          await readEach(indexes)
        }
      }

      async function readEach(indexes: readonly number[]): Promise<void> {
        await Promise.all([...groupBy(indexes, taskOf)].map(async ([taskName, ofQueue]) => {
          try {
            const values = await readAt(ofQueue)
            put(ofQueue, at => values[at]!)
            refused.delete(taskName)
          } catch (error) {
            if (!isRefusedKey(error)) throw error
            refused.set(taskName, storeRefusalOf(error)?.reason ?? 'its user may not use a key')
            put(ofQueue, () => error)
          }
        }))
      }

      const [known, others] = [true, false].map(isKnown => [...items.keys()].filter(index => refused.has(taskOf(index)) === isKnown))
      try {
        await Promise.all([readTogether(others!), readEach(known!)])
        if (items.length > 0) commands.delete(what)
        return answers
      } catch (error) {
        const refusal = isRefusal(error) ? storeRefusalOf(error) : null
        if (refusal !== null) commands.set(what, { reason: refusal.reason, at: performance.now() })
        throw error
      }
    },
    has: taskName => refused.has(taskName) || standing().length > 0,
    forget(isShown) {
      for (const taskName of refused.keys()) if (!isShown(taskName)) refused.delete(taskName)
    },
    problems() {
      const all = [...new Set(standing())].map(reason =>
        `What queues at ${label} hold is not known, because ${reason}. Give the user the rights in docs/existing-queues.md, or restore ` +
        'the command')
      if (refused.size === 0) return all
      const named = firstOf([...refused.keys()].map(taskName => JSON.stringify(taskName)), MAX_NAMED)
      const [reason] = refused.values()
      return [...all, `What queues at ${label} hold is not known, because a key cannot be read: ${named} (${reason}). Give the user the ` +
        'rights in docs/existing-queues.md']
    }
  }
}
