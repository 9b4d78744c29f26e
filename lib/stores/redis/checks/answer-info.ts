import type { RedisClient } from '../../store.ts'
import { INFO_REFUSED } from './info.ts'

type Callback = (error: Error | null, text?: string) => void

/**
 * Answers `info()` where the user may not run INFO, which is among the dangerous commands, or the server has none. BullMQ and ioredis ask
 * for it on every connection; without an answer neither would work, though nothing in it is needed.
 */
export function answerInfo(client: RedisClient): void {
  const ask = client.info.bind(client) as (...parameters: unknown[]) => Promise<string>
  const answer = (...parameters: unknown[]): Promise<string> => {
    const last = parameters.at(-1)
    const callback = typeof last === 'function' ? parameters.pop() as Callback : undefined
    const answered = ask(...parameters).catch((error: unknown) => {
      if (error instanceof Error && REFUSED.test(error.message)) return INFO_REFUSED
      throw error
    })
    if (callback !== undefined) answered.then(text => callback(null, text), callback)
    return answered
  }
  client.info = answer
}

const REFUSED = /^NOPERM .*'info'|^ERR (?:unknown command|command is not)/i
