import { randomUUID } from 'node:crypto'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import type { Fence } from '../../stores/documents/fence.ts'

/**
 * Which process records what finishes in observed queues. A process that was frozen for longer than its lease may go on in the middle of a
 * step, so every write carries the number of the turn it belongs to, and the store refuses those of earlier turns.
 */
export interface RecordingTurn {
  /** This process begins a turn, which ends that of any other. */
  begin(): Promise<void>
  /** What the writes of this turn carry; null while this process has none. Every turn has another object. */
  fence(): Fence | null
  /** A write was refused: another process has begun a turn. */
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
