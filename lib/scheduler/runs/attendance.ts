import type { MissReason } from '../../../schemas/schedule.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { LATE_AFTER_MS } from './late-after.ts'
import { covers, gapsBetween, joinSpans, type Span } from '../../time/spans.ts'
import { DAY_MS } from '../../time/units.ts'
import { digestOfJson } from '../../json/digest.ts'

/** What is known about when processes could run a task. */
export interface Absences {
  /** The longest period in which nothing could run it, in milliseconds, and why; null if there was none. */
  longest(from: number, to: number): { readonly ms: number; readonly reason: MissReason } | null
  /** Why a run due at that time was not taken: `busy` if someone was there. */
  reasonAt(at: number): MissReason
}

export type Attendance = ReturnType<typeof createAttendance>

interface AttendanceDependencies {
  readonly documents: DocumentStore
  /** The tasks this process runs. */
  localTasks(): readonly string[]
  readonly now: () => number
  /** A process that records nothing for longer than this was itself suspended or stopped. */
  readonly silenceMs: number
}

interface Kept {
  readonly spans: readonly Span[]
}

const CREWS = 'schedule-crews'
const SPANS = 'schedule-attendance'
/** The id for periods in which the broker was unavailable; process periods are identified by their tasks. */
const BROKER = 'broker'
const MAX_SPANS = 50
const KEPT_MS = 7 * DAY_MS
const CREW_AGAIN_MS = DAY_MS
const MAX_WRITE_ATTEMPTS = 5
/** Data read this recently is good enough for many runs that are late together. */
const FRESH_MS = 1_000
/**
 * Processes record their presence one after another. If one was last present up to this long after the others, they all died at the same
 * time.
 */
const DIED_TOGETHER_MS = 12_000

/**
 * Records in the broker's store when processes were present for which tasks, and when the broker was unavailable. A run that starts late is
 * then known to have waited behind other work, or to have had no process to run it, whatever was deployed since.
 *
 * Processes with the same tasks share one document. Times are by the datastore's clock.
 */
export function createAttendance({ documents, localTasks, now, silenceMs }: AttendanceDependencies) {
  let since = now()
  let notedAt = since
  let brokerAwayAt: number | null = null
  let lastWritten: { readonly id: string; readonly at: number } | null = null
  /** Periods that could not be written yet. */
  let own: Span[] = []
  let noting: Promise<void> | undefined
  let read: { readonly at: number; readonly known: Promise<Known> } | null = null

  return {
    /** From now on this process is present. */
    async begin(): Promise<void> {
      since = notedAt = now()
      await note()
    },

    /** Call it when the broker is found to be unavailable; `note` records when it is back. */
    brokerAway(): void {
      brokerAwayAt ??= now()
    },

    note,

    /** Records its presence until now. Never rejects. */
    async end(): Promise<void> {
      // If this is not recorded, the next process only finds a gap. That is not worth delaying the stop.
      if (brokerAwayAt === null) await note().catch(() => {})
    },

    /**
     * Who was present for a task, as far as known. Records the presence of this process first.
     * @param from when the first run was due that was not taken in time, milliseconds since the epoch
     * @param isHere whether this process runs the task
     */
    async of(taskName: string, from: number, isHere = localTasks().includes(taskName)): Promise<Absences> {
      if (read === null || Math.abs(now() - read.at) > FRESH_MS) {
        const known = note().then(readAll)
        read = { at: now(), known }
        known.catch(() => { read = null })
      }
      const known = await read.known
      const to = Math.max(now(), from) + 1
      const here: Span[] = isHere ? [[since, to]] : []
      const present = [...known.ofTask(taskName), ...here]
      // The reason for an absence depends on its start, which may be long ago.
      const first = Math.min(from, ...present.map(([start]) => start))
      return toAbsences(gapsBetween(present, [first, to]), from, known)
    }
  }

  /**
   * Records that this process and the broker are present, along with anything not written before. Rejects with the datastore's own error.
   */
  function note(): Promise<void> {
    noting ??= writeNote().finally(() => { noting = undefined })
    return noting
  }

  async function writeNote(): Promise<void> {
    const at = now()
    if (brokerAwayAt === null && at - notedAt > silenceMs) {
      own.push([since, notedAt])
      since = at
    }
    // The clock was set back.
    since = Math.min(since, at)
    notedAt = at
    const awayAt = brokerAwayAt
    const here: Span[] = awayAt === null ? [[since, at]] : [[since, awayAt]]
    const away: Span[] = awayAt === null ? [] : [[awayAt, at]]
    await Promise.all([keep(await writeCrew(at), [...own, ...here], at), away.length > 0 && keep(BROKER, away, at)])
    own = []
    if (awayAt === null) return
    // Only now is it certain that the broker is back.
    since = at
    brokerAwayAt = null
  }

  async function writeCrew(at: number): Promise<string> {
    const tasks = [...localTasks()].sort()
    const id = digestOfJson(tasks)
    if (lastWritten?.id === id && Math.abs(at - lastWritten.at) < CREW_AGAIN_MS) return id
    await documents.put(CREWS, id, tasks, { ttlMs: KEPT_MS + CREW_AGAIN_MS })
    lastWritten = { id, at }
    return id
  }

  async function keep(id: string, spans: readonly Span[], at: number): Promise<void> {
    for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
      const standing = await documents.get<Kept>(SPANS, id)
      const kept = standing?.value.spans ?? []
      // Nothing to write if another process with the same tasks recorded its presence a moment ago.
      const wanted = joinSpans([...kept, ...spans]).slice(-MAX_SPANS)
      const isKnown = wanted.length === kept.length && wanted.every(([from], index) => from === kept[index]![0]) &&
        (kept.at(-1)?.[1] ?? 0) > at - FRESH_MS
      if (isKnown || await documents.put(SPANS, id, { spans: wanted }, { ifVersion: standing?.version ?? 0, ttlMs: KEPT_MS }) !== null)
        return
    }
  }

  async function readAll(): Promise<Known> {
    const [crews, kept] = await Promise.all([documents.list<readonly string[]>(CREWS), documents.list<Kept>(SPANS)])
    const spansOf = new Map(kept.map(({ id, value }) => [id, value.spans]))
    const tasksOf = crews.map(({ id, value }) => ({ tasks: new Set(value), spans: spansOf.get(id) ?? [] }))
    return {
      ofTask: taskName => tasksOf.flatMap(({ tasks, spans }) => tasks.has(taskName) ? spans : []),
      ofAnybody: tasksOf.flatMap(({ spans }) => spans),
      ofBroker: spansOf.get(BROKER) ?? []
    }
  }
}

interface Known {
  ofTask(taskName: string): readonly Span[]
  readonly ofAnybody: readonly Span[]
  readonly ofBroker: readonly Span[]
}

function toAbsences(gaps: readonly Span[], since: number, known: Known): Absences {
  return {
    longest(from, to) {
      let longest: { ms: number; reason: MissReason } | null = null
      for (const gap of gaps) {
        const ms = Math.min(gap[1], to) - Math.max(gap[0], from)
        if (ms > (longest?.ms ?? 0)) longest = { ms, reason: reasonOf(gap, known) }
      }
      return longest
    },
    reasonAt(at) {
      // An absence also explains runs that were not late yet when it began, or that came due while the first processes were returning. A
      // short absence explains only the runs due within it.
      const gap = gaps.find(([from, to]) => at >= from - LATE_AFTER_MS && at < to + LATE_AFTER_MS && to - from > LATE_AFTER_MS) ??
        gaps.find(([from, to]) => at >= from && at < to && since >= from - LATE_AFTER_MS)
      return gap === undefined ? 'busy' : reasonOf(gap, known)
    }
  }
}

/** The reason is decided by how the absence began, so it stays the same however processes come and go. */
function reasonOf([from, to]: Span, { ofAnybody, ofBroker }: Known): MissReason {
  const soonAfter = from + Math.min(DIED_TOGETHER_MS, (to - from) / 2)
  if (covers(ofBroker, from) || covers(ofBroker, soonAfter)) return 'broker_away'
  return covers(ofAnybody, soonAfter) ? 'no_worker' : 'process_down'
}
