import type { ObservedQueue } from '../../engine/observing/observed-queue.ts'
import { groupBy } from '../../collections/group-by.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { heldOf, type Fence } from '../../stores/documents/fence.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { DAY_MS } from '../../time/units.ts'
import { NOT_BEGUN, type StreamPosition } from './streams/stream-positions.ts'
import { digestOfJson } from '../../json/digest.ts'

/** An event that reported a finish, and the execution id under which its job is recorded. */
export interface Mark { readonly queue: ObservedQueue; readonly eventId: string; readonly executionId: string }

/** A queue that was followed once, on whichever server. */
export interface FollowedBefore {
  /** As `identityKey` returns it. */
  readonly server: string
  readonly prefix: string
  readonly name: string
  readonly position: StreamPosition
}

/** What a restart needs to know, kept in the result backend. Writes reject with a SupersededError once another process records. */
export interface SavedProgress {
  /** In the order of the queues; undefined for those that were never followed. */
  positions(queues: readonly ObservedQueue[]): Promise<Array<StreamPosition | undefined>>
  /** All queues with a position that have something to lose: not those that were never read, or whose loss is on record. */
  followed(): Promise<readonly FollowedBefore[]>
  savePositions(positions: ReadonlyArray<{ readonly queue: ObservedQueue; readonly position: StreamPosition }>): Promise<void>
  /**
   * Call it when all events of a server that this process marked lie before the saved positions. New marks then replace those marks.
   * @param isAll whether this also holds for the events that other processes marked
   */
  forgetMarks(server: Server, isAll: boolean): void
  /**
   * Notes under which ids jobs are about to be recorded. Positions are saved afterwards. If this process dies in between, the next one
   * reads the events again, and the marks tell it which of their jobs may already be recorded.
   */
  mark(marks: readonly Mark[]): Promise<void>
  /** Whether a server has so many marks that positions have to be saved now. */
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
/** For one server, not counting the documents that another process wrote and this one may still need. */
const MAX_MARK_DOCUMENTS = 100

type Server = ObservedQueue['server']

/** How many documents with marks a server has. Those that other processes wrote come first. */
interface Numbers { inherited: number; used: number }

/**
 * Positions and marks belong to a queue of a server: another server may have a queue of the same name. Each part of a cluster has marks of
 * its own, because one part can be down while others are read.
 * @param fence what every write carries
 */
export function createSavedProgress(
  documents: Pick<DocumentStore, 'getMany' | 'putMany' | 'list'>, fence: () => Fence | null
): SavedProgress {
  async function write<Value>(collection: string, written: ReadonlyArray<{ readonly id: string; readonly value: Value }>): Promise<void> {
    if (written.length > 0) await documents.putMany(collection, written, { ttlMs: KEPT_MS, onlyWhile: heldOf(fence()) })
  }

  let known = new Map<string, string>()
  let numbersOf = new Map<string, Numbers>()

  function numbers(server: Server): Numbers {
    const place = serverOf(server)
    const found = numbersOf.get(place) ?? { inherited: 0, used: 0 }
    numbersOf.set(place, found)
    return found
  }

  return {
    async positions(queues) {
      const stored = await documents.getMany<StoredPosition>(POSITIONS, queues.map(placeOf))
      return stored.map(each => each?.value && withoutPlace(each.value))
    },
    async followed() {
      const stored = await documents.list<StoredPosition>(POSITIONS)
      return stored.flatMap(({ value }): FollowedBefore[] => {
        const { of, position, counted } = value
        if (of === undefined || position === NOT_BEGUN.position && !counted) return []
        const [server, prefix, name] = of
        return [{ server, prefix, name, position: withoutPlace(value) }]
      })
    },
    async savePositions(positions) {
      await write(POSITIONS, positions.map(({ queue, position }) => {
        const value: StoredPosition = { ...position, of: [identityKey(queue.server), queue.prefix, queue.name] }
        return { id: placeOf(queue), value }
      }))
    },
    forgetMarks(server, isAll) {
      const found = numbers(server)
      if (isAll) found.inherited = 0
      found.used = found.inherited
    },
    async mark(marks) {
      await write(MARKS, [...groupBy(marks, ({ queue }) => queue.server)].flatMap(([server, ofServer]) => {
        const found = numbers(server)
        return inChunks(ofServer, MARKS_IN_ONE).map(some => ({
          id: `${serverOf(server)}-${String(found.used++).padStart(6, '0')}`,
          value: some.map(({ queue, eventId, executionId }): StoredMark => [placeOf(queue), eventId, executionId])
        }))
      }))
    },
    isFull: () => [...numbersOf.values()].some(({ used, inherited }) => used - inherited >= MAX_MARK_DOCUMENTS),
    async load() {
      const stored = await documents.list<StoredMark[]>(MARKS)
      numbersOf = new Map()
      for (const { id } of stored) {
        const [, server = '', number = ''] = /^(.+)-(\d+)$/.exec(id) ?? []
        // What another process marked may be needed again, if this one dies as well.
        const used = Math.max(numbersOf.get(server)?.used ?? 0, Number(number) + 1)
        numbersOf.set(server, { inherited: used, used })
      }
      known = new Map(stored.flatMap(({ value }) => value.map(([place, eventId, executionId]) => [`${place} ${eventId}`, executionId])))
    },
    markOf: (queue, eventId) => known.size === 0 ? undefined : known.get(`${placeOf(queue)} ${eventId}`)
  }
}

type StoredMark = readonly [place: string, eventId: string, executionId: string]

interface StoredPosition extends StreamPosition {
  /** Absent in what earlier versions stored. */
  readonly of?: readonly [server: string, prefix: string, name: string]
}

function withoutPlace({ of: _place, ...position }: StoredPosition): StreamPosition {
  return position
}

/** Equal for all parts of a server. */
export function identityKey({ identity }: Pick<Server, 'identity'>): string {
  return digestOfJson([identity])
}

/** Hashed, because an identity can be as long as a certificate. */
function placeOf({ server, prefix, name }: ObservedQueue): string {
  return digestOfJson([server.identity, prefix, name])
}

function serverOf(server: Server): string {
  return server.part ? digestOfJson([server.identity, server.part]) : identityKey(server)
}
