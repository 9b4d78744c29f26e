import type { RecordingTurn } from '../../../lib/queue-app/observing/recording-turn.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'

/** A turn that has begun in documents in memory, and that no other process ends. */
export function turnIn(documents: Pick<DocumentStore, 'put'>): Pick<RecordingTurn, 'fence'> {
  void documents.put('turns', 'one', null)
  return { fence: () => ({ collection: 'turns', id: 'one', version: 1, value: null }) }
}
