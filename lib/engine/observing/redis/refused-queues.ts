import { firstOf } from '../../../collections/first-of.ts'
import { groupBy } from '../../../collections/group-by.ts'
import { storeRefusalOf } from '../../../stores/failures/store-refusal.ts'
import { isRefusedKey } from '../../../stores/redis/observing/read-client.ts'
import type { RedisQueue } from './redis-queue.ts'

/** Queues with keys that the user may not read, although the user may read other queues of the server. */
export interface RefusedQueues {
  /**
   * Reads items of many queues at once. If a key is refused, each queue is read by itself.
   * @returns a value for each item, or an error for each item of a queue that is refused. Rejects with any other error
   */
  apart<Item, Value>(
    items: readonly Item[], queueOf: (item: Item) => RedisQueue, read: (items: readonly Item[]) => Promise<readonly Value[]>
  ): Promise<Array<Value | Error>>
  has(taskName: string): boolean
  forget(isShown: (taskName: string) => boolean): void
  /** As sentences without a full stop. */
  problems(): string[]
}

/** Further queues are only counted. */
const MAX_NAMED = 3

export function createRefusedQueues(label: string): RefusedQueues {
  /** Why each of them is refused, by task name. They are read by themselves from the start. */
  const refused = new Map<string, string>()

  return {
    async apart<Item, Value>(
      items: readonly Item[], queueOf: (item: Item) => RedisQueue, read: (items: readonly Item[]) => Promise<readonly Value[]>
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
      await Promise.all([readTogether(others!), readEach(known!)])
      return answers
    },
    has: taskName => refused.has(taskName),
    forget(isShown) {
      for (const taskName of refused.keys()) if (!isShown(taskName)) refused.delete(taskName)
    },
    problems() {
      if (refused.size === 0) return []
      const named = firstOf([...refused.keys()].map(taskName => JSON.stringify(taskName)), MAX_NAMED)
      const [reason] = refused.values()
      return [`What queues at ${label} hold is not known, because a key cannot be read: ${named} (${reason}). Give the user the ` +
        'rights in docs/existing-queues.md']
    }
  }
}
