import { DAY_MS } from '../../../time/units.ts'
import { MANAGED_MAJORS, majorOf } from '../managing/managed-versions.ts'
import { tryKeys, type KeyRead } from './read-key.ts'
import { queueStart, type RedisQueue } from './redis-queue.ts'

/**
 * Which major versions of BullMQ use each queue. Each `Queue` that an owner opens stores its version, so if several versions own a queue,
 * the stored one changes from time to time. Workers store none. While a queue is paused, its lists tell as well: only version 6 leaves jobs
 * in `wait`, and only version 5 puts jobs into `paused`.
 */
export interface OwnersVersions {
  /** Reads the versions of these queues, which have the same client, and forgets all others. Never rejects. */
  look(queues: readonly RedisQueue[]): Promise<void>
  /** The major versions that were stored in the last 24 hours, the oldest first, as in `565`; '' if none was seen. */
  of(queue: Pick<RedisQueue, 'prefix' | 'name'>): string
  /** As sentences without a full stop. */
  problems(): string[]
}

interface Sighting { readonly major: number; at: number }

interface Seen {
  readonly taskName: string
  readonly sightings: readonly Sighting[]
  /** Whether jobs wait where the next pause or resume of version 5 can discard them. */
  readonly isSplit: boolean
}

/** An owner that is opened once a day, such as by a nightly deployment, is not forgotten. */
const REMEMBERED_MS = DAY_MS
/** Enough to tell an upgrade from two versions that take turns. */
const KEPT = 3
const NAMED = 5

/** @param now milliseconds of a clock that never goes back */
export function createOwnersVersions(label: string, now: () => number = () => performance.now()): OwnersVersions {
  let seen: ReadonlyMap<string, Seen> = new Map()

  return {
    async look(queues) {
      const at = now()
      const metas = await readAll(queues.map((queue): KeyRead<Array<string | null>> =>
        ({ queue, kind: 'meta', empty: [null, null], command: 'HMGET', parameters: ['version', 'paused'] })))
      if (metas === null) return
      const found = queues.flatMap((queue, index) => {
        const meta = metas[index]
        const [version = null, paused = null] = Array.isArray(meta) ? meta : []
        const major = majorOf(version)
        return major === null ? [] : [{ queue, major, isPaused: paused !== null }]
      })
      const paused = found.filter(({ isPaused }) => isPaused)
      const lengths = await readAll(paused.flatMap(({ queue }) =>
        (['wait', 'paused'] as const).map((kind): KeyRead<number> => ({ queue, kind, empty: 0, command: 'LLEN' })))) ?? []
      const listsOf = new Map(paused.map((each, index) =>
        [each, { waiting: Number(lengths[index * 2]) > 0, moved: Number(lengths[index * 2 + 1]) > 0 }]))
      // Kept for queues that could not be read.
      const before = new Map(queues.flatMap(queue => {
        const known = seen.get(queueStart(queue))
        return known === undefined ? [] : [[queueStart(queue), known] as const]
      }))
      seen = new Map([...before, ...found.map(each => {
        const start = queueStart(each.queue)
        const { waiting, moved } = listsOf.get(each) ?? { waiting: false, moved: false }
        const isOther = each.major === 5 ? waiting : moved
        const known = before.get(start)?.sightings ?? []
        const other = { major: each.major === 5 ? 6 : 5, at }
        // What version 5 has put into its list may be from before an upgrade to 6. It cannot know the form of version 6.
        const sightings = sightingsAfter(isOther && !areMixed(known) ? [other, ...known.slice(-1)] : known, each.major, at)
        return [start, { taskName: each.queue.taskName, sightings, isSplit: isOther && waiting }] as const
      })])
    },
    of(queue) {
      const recent = seen.get(queueStart(queue))?.sightings.filter(({ at }) => now() - at <= REMEMBERED_MS) ?? []
      return recent.map(({ major }) => major).join('')
    },
    problems() {
      const all = [...seen.values()]
      const split = all.filter(({ isSplit }) => isSplit)
      const mixed = all.filter(({ isSplit, sightings }) => !isSplit && areMixed(sightings.filter(({ at }) => now() - at <= REMEMBERED_MS)))
      return [
        ...split.length === 0 ? [] : [`Both BullMQ 5 and 6 have put jobs into ${namesOf(split)} at ${label} during a pause: if version 5 ` +
          'pauses or resumes it now, it discards jobs. Resume it with version 6, and move all its code to one version'],
        ...mixed.length === 0 ? [] : [`In the last 24 hours, both BullMQ 5 and 6 used ${namesOf(mixed)} at ${label}. If both still do, ` +
          'version 5 discards jobs when it pauses or resumes it: let only version 6 do that, and move all its code to one version']
      ]
    }
  }
}

async function readAll<Answer>(reads: ReadonlyArray<KeyRead<Answer>>): Promise<Array<Answer | Error> | null> {
  return await tryKeys(reads).catch(() => null)
}

function sightingsAfter(before: readonly Sighting[], major: number, at: number): Sighting[] {
  const recent = before.filter(each => at - each.at <= REMEMBERED_MS)
  const others = recent.at(-1)?.major === major ? recent.slice(0, -1) : recent
  return [...others, { major, at }].slice(-KEPT)
}

function areMixed(sightings: readonly Sighting[]): boolean {
  return MANAGED_MAJORS.redis.every(major => sightings.some(each => each.major === major))
}

function namesOf(queues: readonly Seen[]): string {
  const names = queues.slice(0, NAMED).map(({ taskName }) => JSON.stringify(taskName)).join(', ')
  const more = queues.length > NAMED ? ` and ${queues.length - NAMED} more` : ''
  return `the ${queues.length === 1 ? 'queue' : 'queues'} ${names}${more}`
}
