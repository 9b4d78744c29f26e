import { countedNoun } from '../../../collections/counted-noun.ts'
import { queueKey, type QueueKey, type RedisQueue } from './redis-queue.ts'

/** Keys of queues that are not of the type that BullMQ keeps there, because another tool uses the same names. */
export interface OddKeys {
  note(queue: RedisQueue, kind: QueueKey): void
  /**
   * Checks the keys again. Forgets those whose type has changed since the last check, and those of queues that are no longer shown. Never
   * rejects.
   */
  look(isShown: (taskName: string) => boolean): Promise<void>
  /** As sentences without a full stop. */
  problems(): string[]
}

/** Further keys are only counted. */
const MAX_NAMED = 3

interface OddKey {
  readonly queue: RedisQueue
  readonly key: string
  /** As the server names it; null before the first check. */
  type: string | null
}

export function createOddKeys(): OddKeys {
  const odd = new Map<string, OddKey>()

  return {
    note(queue, kind) {
      const key = queueKey(queue, kind)
      const id = `${queue.taskName}:${kind}`
      if (!odd.has(id)) odd.set(id, { queue, key, type: null })
    },
    async look(isShown) {
      await Promise.all([...odd].map(async ([id, each]) => {
        const type = await each.queue.client.read<string>('TYPE', each.key).catch(() => each.type)
        if (!isShown(each.queue.taskName) || type === 'none' || each.type !== null && type !== each.type) odd.delete(id)
        each.type = type
      }))
    },
    problems() {
      const texts = [...odd.values()].slice(0, MAX_NAMED).map(({ queue, key }) =>
        `The key ${key} is not of the type that BullMQ keeps there, so what it should say about the queue ${queue.taskName} is not known`)
      if (odd.size > MAX_NAMED) texts.push(`the same of ${countedNoun(odd.size - MAX_NAMED, 'other key')}`)
      return texts
    }
  }
}
