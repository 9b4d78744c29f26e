import { setTimeout as sleep } from 'node:timers/promises'
import { createTaskDashboardError } from '../../../errors.ts'
import type { SqlResult } from '../../store.ts'
import { connectionFailure } from '../database-error.ts'
import type { Statement } from '../thread/messages.ts'
import type { DatabasePlace } from './open-database.ts'
import { openThread, type OpenDatabase } from '../thread/open-thread.ts'

export interface LastingDatabase {
  /** Rejects with SQLSTATE 08006 if its thread ends before it answers, and with EMBEDDED_STORE_LOST if it will not be reopened. */
  run<Row extends object>(statement: Omit<Statement, 'kind' | 'id'>, signal?: AbortSignal): Promise<SqlResult<Row>>
  release(client: number): void
  /** How long a pending request has gone without any response; Infinity while the database is lost. */
  silentMs(): number
  close(): Promise<void>
}

export interface LastingListeners {
  onNotification(channel: string, payload: string): void
  /** Its sessions, their listeners and their transactions are gone. */
  onLost(error: Error): void
  /** For people: what happened, and whether it is being reopened. */
  onError(error: Error): void
}

const REOPEN_AFTER_MS = 200
const MAX_REOPEN_AFTER_MS = 10_000
/** Time for running statements when it closes. */
const CLOSE_AFTER_MS = 10_000

/**
 * Reopens a database when its thread dies, if it is stored in a folder: nothing acknowledged is lost. Data in memory is gone, and
 * continuing with an empty database would hide that.
 * @param label for messages
 */
export async function openLastingDatabase(settings: DatabasePlace, label: string, listeners: LastingListeners): Promise<LastingDatabase> {
  let current: OpenDatabase | null = null
  let reopening: Promise<void> = Promise.resolve()
  let lost: Error | null = null
  let isClosed = false

  const open = () => openThread(settings, { onNotification: listeners.onNotification, onLost })
  current = await open()
  if (current.hereBecause !== null) listeners.onError(createTaskDashboardError('EMBEDDED_WITHOUT_THREAD', [label, current.hereBecause]))

  function onLost(reason: string): void {
    current = null
    const isKept = settings.folder !== null
    const error = createTaskDashboardError(
      'EMBEDDED_STORE_LOST',
      [
        label, reason,
        isKept ? 'It is being reopened, with everything it had acknowledged' : 'Its data in memory is gone: restart the process'
      ]
    )
    if (isKept) reopening = reopen()
    else lost = error
    listeners.onLost(connectionFailure(error.message))
    if (!isClosed) listeners.onError(error)
  }

  async function reopen(): Promise<void> {
    for (let delayMs = REOPEN_AFTER_MS; current === null && !isClosed; delayMs = Math.min(delayMs * 2, MAX_REOPEN_AFTER_MS)) {
      await sleep(delayMs)
      if (isClosed) return
      try {
        current = await open()
      } catch (error) {
        listeners.onError(createTaskDashboardError(
          'EMBEDDED_STORE_LOST', [label, 'it could not be reopened', 'It will be retried'], { cause: error }
        ))
      }
    }
  }

  return {
    async run<Row extends object>(statement: Omit<Statement, 'kind' | 'id'>, signal?: AbortSignal) {
      if (current === null && lost === null) await reopening
      if (current === null || signal?.aborted) throw lost ?? connectionFailure('The database is closed')
      const running = current.run<Row>(statement)
      signal?.addEventListener('abort', running.withdraw, { once: true })
      try {
        return await running.result
      } finally {
        signal?.removeEventListener('abort', running.withdraw)
      }
    },
    release: client => current?.release(client),
    silentMs: () => current?.silentMs() ?? Infinity,
    async close() {
      await current?.close(CLOSE_AFTER_MS)
      isClosed = true
      await reopening
      await current?.close(0)
    }
  }
}
