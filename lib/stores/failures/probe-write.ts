import type { DocumentStore } from '../documents/documents.ts'

/** Checks that a store accepts writes: adds 0 to a counter, so nothing grows. Rejects with the store's own error. */
export async function probeWrite(documents: Pick<DocumentStore, 'increment'>): Promise<void> {
  await documents.increment('health', 'probe', 0)
}
