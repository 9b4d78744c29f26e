import { randomUUID } from 'node:crypto'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import type { Fence } from '../../stores/documents/fence.ts'

/**
 * Decides which process records the finishes of observed queues. A process that was frozen for longer than its lease may continue in the
 * middle of a step. So every write carries the number of its turn, and the store refuses writes of earlier turns.
 */
export interface RecordingTurn {
  /** Begins a turn of this process, which ends the turn of any other process. */
  begin(): Promise<void>
  /** What the writes of this turn carry; null while this process has no turn. Each turn has a different object. */
  fence(): Fence | null
  /** Ends the turn of this process, because a write was refused (another process has begun a turn) or the turn could not be prepared. */
  end(): void
}

const COLLECTION = 'observed-turns'
const ID = 'recording'

export function createRecordingTurn(documents: Pick<DocumentStore, 'put'>, holder: string): RecordingTurn {
  let fence: Fence | null = null
  return {
    async begin() {
      fence = null
      const value = { holder, turn: randomUUID() }
      const version = await documents.put(COLLECTION, ID, value)
      fence = { collection: COLLECTION, id: ID, version: version!, value }
    },
    fence: () => fence,
    end() { fence = null }
  }
}
