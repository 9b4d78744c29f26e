import { firstOf } from '../../../collections/first-of.ts'
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
  /** Called with the version whenever it was read for another purpose. */
  note(queue: RedisQueue, version: string | null): unknown
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
const MAX_SIGHTINGS = 3
const MAX_NAMED = 5

/** @param now milliseconds of a clock that never goes back */
export function createOwnersVersions(label: string, now: () => number = () => performance.now()): OwnersVersions {
  const seen = new Map<string, Seen>()

  function note(queue: RedisQueue, version: string | null): number | null {
    const major = majorOf(version, 'redis')
    if (major === null) return null
    const known = seen.get(queueStart(queue))
    const sightings = sightingsAfter(known?.sightings ?? [], major, now())
    seen.set(queueStart(queue), { taskName: queue.taskName, isSplit: known?.isSplit ?? false, sightings })
    return major
  }

  function noteLists(queue: RedisQueue, major: number, isWaiting: boolean, isMoved: boolean): void {
    const known = seen.get(queueStart(queue))
    if (known === undefined) return
    const isOther = major === 5 ? isWaiting : isMoved
    // Version 5 may have put them there before an upgrade to 6. The opposite is no upgrade.
    const other = { major: major === 5 ? 6 : 5, at: now() }
    const sightings = isOther && !areMixed(known.sightings) ? [other, ...known.sightings.slice(-1)] : known.sightings
    seen.set(queueStart(queue), { ...known, sightings, isSplit: isOther && isWaiting })
  }

  return {
    note,
    async look(queues) {
      const starts = new Set(queues.map(queueStart))
      for (const start of seen.keys()) if (!starts.has(start)) seen.delete(start)
      const metas = await readAll(queues.map((queue): KeyRead<Array<string | null>> =>
        ({ queue, kind: 'meta', empty: [null, null], command: 'HMGET', parameters: ['version', 'paused'] })))
      const found = queues.flatMap((queue, index) => {
        const meta = metas[index]
        if (!Array.isArray(meta)) return []
        const [version = null, paused = null] = meta
        const major = note(queue, version)
        if (major !== null && paused === null) noteLists(queue, major, false, false)
        return major === null || paused === null ? [] : [{ queue, major }]
      })
      const lengths = await readAll(found.flatMap(({ queue }) =>
        (['wait', 'paused'] as const).map((kind): KeyRead<number> => ({ queue, kind, empty: 0, command: 'LLEN' }))))
      for (const [index, { queue, major }] of found.entries())
        noteLists(queue, major, Number(lengths[index * 2]) > 0, Number(lengths[index * 2 + 1]) > 0)
    },
    of(queue) {
      const recent = seen.get(queueStart(queue))?.sightings.filter(({ at }) => now() - at <= REMEMBERED_MS) ?? []
      return recent.map(({ major }) => major).join('')
    },
    problems() {
      const all = [...seen.values()]
      const split = all.filter(({ isSplit }) => isSplit)
      const isRecent = ({ at }: Sighting): boolean => now() - at <= REMEMBERED_MS
      const mixed = all.filter(({ isSplit, sightings }) => !isSplit && areTakingTurns(sightings.filter(isRecent)))
      return [
        ...split.length === 0 ? [] : [`Both BullMQ 5 and 6 have put jobs into ${namesOf(split)} at ${label} during a pause: if version 5 ` +
          'pauses or resumes it now, it discards jobs. Resume it with version 6, and move all its code to one version'],
        ...mixed.length === 0 ? [] : [`In the last 24 hours, both BullMQ 5 and 6 used ${namesOf(mixed)} at ${label}. If both still do, ` +
          'version 5 discards jobs when it pauses or resumes it: let only version 6 do that, and move all its code to one version']
      ]
    }
  }
}

/** Empty if the server does not answer. */
async function readAll<Answer>(reads: ReadonlyArray<KeyRead<Answer>>): Promise<Array<Answer | Error>> {
  return await tryKeys(reads).catch(() => [])
}

function sightingsAfter(before: readonly Sighting[], major: number, at: number): Sighting[] {
  const recent = before.filter(each => at - each.at <= REMEMBERED_MS)
  const others = recent.at(-1)?.major === major ? recent.slice(0, -1) : recent
  return [...others, { major, at }].slice(-MAX_SIGHTINGS)
}

function areMixed(sightings: readonly Sighting[]): boolean {
  return MANAGED_MAJORS.redis.every(major => sightings.some(each => each.major === major))
}

/** Version 6 after version 5 is usually an upgrade, which is no problem to report. */
function areTakingTurns(sightings: readonly Sighting[]): boolean {
  return sightings.some(({ major }, index) => index > 0 && major < sightings[index - 1]!.major)
}

function namesOf(queues: readonly Seen[]): string {
  const names = queues.map(({ taskName }) => JSON.stringify(taskName))
  return `the ${queues.length === 1 ? 'queue' : 'queues'} ${firstOf(names, MAX_NAMED)}`
}
