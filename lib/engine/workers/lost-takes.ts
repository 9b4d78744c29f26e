import { setTimeout as sleep } from 'node:timers/promises'
import type { PersistentWorker } from './persistent-worker.ts'
import { isTransientError } from '../connection/transient-error.ts'

/** What a worker has taken, according to the broker. */
export interface TakenLocks {
  /** The locks on a queue's running jobs whose token starts with this prefix. */
  locks(queueName: string, tokenPrefix: string): Promise<ReadonlyArray<{ readonly id: string; readonly token: string }>>
  /** How often the connection that takes executions has been lost. Commands sent over it are sent again. */
  lostConnections(): number
}

const FIRST_LOOK_AFTER_MS = 1_000
/** An execution whose response arrived is held by the worker within this time. */
const LOOKS_EVERY_MS = 4_000
/** Stop checking if the broker stays down, because the locks have expired by then. The next error starts over. */
const MAX_LOOKS = 8

/**
 * Hands back executions that this worker took without knowing it, because the connection broke before the response came. No one would renew
 * their locks, so they would count as lost. Checks only after a call that takes an execution failed or lost its connection.
 */
export function handBackLostTakes(worker: PersistentWorker, { locks, lostConnections }: TakenLocks): void {
  const { backend } = worker
  const { moveToActive, moveToCompleted, moveToFailed } = backend
  /** Pending calls that take an execution: since the last check, and before it. Plain counters, because every execution passes here. */
  const open = [0, 0]
  let side = 0
  let isLooking = false
  let isWanted = false

  async function taking<Result>(call: () => Promise<Result>): Promise<Result> {
    const mine = side
    const losses = lostConnections()
    open[mine]!++
    try {
      return await call()
    } catch (error) {
      if (isTransientError(error)) lookLater()
      throw error
    } finally {
      open[mine]!--
      if (lostConnections() !== losses) lookLater()
    }
  }

  Object.assign(backend, {
    moveToActive: (...args: Parameters<typeof moveToActive>) => taking(() => moveToActive.apply(backend, args)),
    moveToCompleted: (...args: Parameters<typeof moveToCompleted>) => taking(() => moveToCompleted.apply(backend, args)),
    moveToFailed: (...args: Parameters<typeof moveToFailed>) => taking(() => moveToFailed.apply(backend, args))
  })

  function lookLater(): void {
    isWanted = true
    if (isLooking) return
    isLooking = true
    isWanted = false
    void look().catch(() => {}).finally(() => {
      isLooking = false
      if (isWanted && !isOver()) lookLater()
    })
  }

  async function look(): Promise<void> {
    await pause(FIRST_LOOK_AFTER_MS)
    let before: ReadonlyMap<string, string> | undefined
    for (let looks = 0; looks < MAX_LOOKS && !isOver(); looks++) {
      const unheld = await unheldLocks().catch(() => null)
      // A call from before the last check may still get its response.
      if (unheld !== null && open[1 - side] === 0) {
        const lost = [...unheld].filter(([id, token]) => before?.get(id) === token)
        await Promise.all(lost.map(([id, token]) => backend.moveJobFromActiveToWait(id, token).catch(() => {})))
        if (before !== undefined && lost.length === unheld.size) return
        before = unheld
        side = 1 - side
      }
      await pause(LOOKS_EVERY_MS)
    }
  }

  function isOver(): boolean {
    return Boolean(worker.closing) || worker.contact.abandoned.signal.aborted
  }

  async function unheldLocks(): Promise<Map<string, string>> {
    const found = await locks(worker.name, `${worker.id}:`)
    return new Map(found.filter(({ id, token }) => !worker.holds(id, token)).map(({ id, token }) => [id, token]))
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { ref: false, signal: worker.contact.abandoned.signal }).catch(() => {})
  }
}
