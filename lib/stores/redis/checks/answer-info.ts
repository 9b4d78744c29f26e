import type { RedisClient } from '../../store.ts'
import { infoField, INFO_REFUSED } from './info.ts'

type Callback = (error: Error | null, text?: string) => void

/**
 * Makes `info()` work when the user may not run INFO, which Redis counts as a dangerous command, or the server does not have it. BullMQ and
 * ioredis call it on every connection and fail without a response, although they need nothing in it.
 */
export function answerInfo(client: RedisClient): void {
  const ask = client.info.bind(client) as (...parameters: unknown[]) => Promise<string>
  const answer = (...parameters: unknown[]): Promise<string> => {
    const last = parameters.at(-1)
    const callback = typeof last === 'function' ? parameters.pop() as Callback : undefined
    const answered = ask(...parameters).then(text => {
      if (infoField(text, 'loading') === '1') loading.add(client)
      else loading.delete(client)
      return text
    }, (error: unknown) => {
      if (error instanceof Error && REFUSED.test(error.message)) return INFO_REFUSED
      throw error
    })
    if (callback !== undefined) answered.then(text => callback(null, text), callback)
    return answered
  }
  client.info = answer
}

/** Clients whose server was loading its data when they last called INFO. They become ready when it has finished. */
const loading = new WeakSet<RedisClient>()

/** Says that a server cannot be used because it is loading its data; null if no server has reported that. */
export function loadingReason(clients: Iterable<RedisClient>): string | null {
  return [...clients].some(client => loading.has(client)) ? 'it is still loading its data, which takes minutes after a crash' : null
}

const REFUSED = /^NOPERM .*'info'|^ERR (?:unknown command|command is not)/i
