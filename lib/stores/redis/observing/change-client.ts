import { createTaskDashboardError } from '../../../errors.ts'
import { openStore } from '../../open-store.ts'
import type { RedisClient } from '../../store.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { openObserved } from './open-observed.ts'

/** A connection to someone else's Redis server. It runs the scripts that it was created with and changes nothing else. */
export interface ChangeClient {
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Runs one of its scripts, in one step. Rejects within 1.5 s, although the server may have run it by then. */
  run<Answer>(script: string, keys: readonly string[], ...parameters: ReadonlyArray<string | number>): Promise<Answer>
}

export function createChangeClient(source: RedisSource, scripts: ReadonlySet<string>, onError: (error: Error) => void): ChangeClient {
  let opened: RedisClient | undefined
  let starting: Promise<void> | undefined
  let isStopped = false

  return {
    start() {
      if (isStopped) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= openStore(async () => { opened = await openObserved(source, onError, scripts) }, () => isStopped))
    },
    async stop() {
      isStopped = true
      await starting?.catch(() => {})
      opened?.disconnect()
      opened = undefined
    },
    run<Answer>(script: string, keys: readonly string[], ...parameters: ReadonlyArray<string | number>): Promise<Answer> {
      if (opened === undefined) return Promise.reject(createTaskDashboardError(isStopped ? 'ALREADY_STOPPED' : 'NOT_STARTED'))
      // Sends the script's text instead of its hash: a user with few rights may run EVAL but not EVALSHA, and changes are rare.
      return opened.eval(script, keys.length, ...keys, ...parameters) as Promise<Answer>
    }
  }
}
