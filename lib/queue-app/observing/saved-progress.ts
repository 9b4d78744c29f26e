import { createHash } from 'node:crypto'
import type { ObservedQueue } from '../../engine/observing/observed-queue.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { DAY_MS } from '../../time/units.ts'
import type { StreamPosition } from './stream-positions.ts'

/** An event that told of a finish, and the id under which the job itself is recorded. */
export interface Mark { readonly queue: ObservedQueue; readonly eventId: string; readonly executionId: string }

/** What a restart needs to know, in the result backend. */
export interface SavedProgress {
  /** In the order of the queues; undefined for those that were never followed. */
  positions(queues: readonly ObservedQueue[]): Promise<Array<StreamPosition | undefined>>
  /** @param isAll whether every event that is marked is before these: then marks are not needed any more, and new ones replace them */
  savePositions(
    positions: ReadonlyArray<{ readonly queue: ObservedQueue; readonly position: StreamPosition }>, isAll: boolean
  ): Promise<void>
  /**
   * Notes under which ids jobs are going to be recorded. Positions are saved afterwards: if this process dies in between, the next one
   * reads the events again, and knows by these which of their jobs it has already.
   */
  mark(marks: readonly Mark[]): Promise<void>
  /** Whether there are so many marks that positions have to be saved now. */
  isFull(): boolean
  /** Reads what another process marked. */
  load(): Promise<void>
  /** The id under which the job of an event was going to be recorded; undefined if it was not marked. */
  markOf(queue: ObservedQueue, eventId: string): string | undefined
}

const POSITIONS = 'observed-streams'
const MARKS = 'observed-finishes'
const KEPT_MS = 30 * DAY_MS
/** About 100 kB a document. */
const MARKS_IN_ONE = 1_000
const MAX_MARK_DOCUMENTS = 100

/** Positions and marks belong to a queue of a server: another server may have a queue of the same name. */
export function createSavedProgress(documents: Pick<DocumentStore, 'getMany' | 'putMany' | 'list'>): SavedProgress {
  let known = new Map<string, string>()
  let used = 0

  return {
    async positions(queues) {
      const stored = await documents.getMany<StreamPosition>(POSITIONS, queues.map(placeOf))
      return stored.map(each => each?.value)
    },
    async savePositions(positions, isAll) {
      const written = positions.map(({ queue, position }) => ({ id: placeOf(queue), value: position }))
      if (written.length > 0) await documents.putMany(POSITIONS, written, { ttlMs: KEPT_MS })
      if (isAll) used = 0
    },
    async mark(marks) {
      const written = inChunks(marks, MARKS_IN_ONE).map((some, index) => ({
        id: String(used + index).padStart(6, '0'),
        value: some.map(({ queue, eventId, executionId }): [string, string, string] => [placeOf(queue), eventId, executionId])
      }))
      if (written.length === 0) return
      used += written.length
      await documents.putMany(MARKS, written, { ttlMs: KEPT_MS })
    },
    isFull: () => used >= MAX_MARK_DOCUMENTS,
    async load() {
      const stored = await documents.list<Array<[string, string, string]>>(MARKS)
      // What another process marked may be needed again, if this one dies as well.
      used = Math.max(0, ...stored.map(({ id }) => Number(id) + 1))
      known = new Map(stored.flatMap(({ value }) => value.map(([place, eventId, executionId]) => [`${place} ${eventId}`, executionId])))
    },
    markOf: (queue, eventId) => known.size === 0 ? undefined : known.get(`${placeOf(queue)} ${eventId}`)
  }
}

/** An identity can be as long as a certificate. */
function placeOf({ server, prefix, name }: ObservedQueue): string {
  return createHash('sha256').update(JSON.stringify([server.identity, prefix, name])).digest('base64url')
}
