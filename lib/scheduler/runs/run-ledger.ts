import { setImmediate } from 'node:timers/promises'
import type { MissKind, MissReason } from '../../../schemas/schedule.ts'
import type { DocumentStore, StoredDocument } from '../../stores/documents/documents.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { dueTimesBetween } from '../timing/due-times.ts'
import type { ScheduleStore, StoredSchedule } from '../definitions/schedule-store.ts'
import type { MissRecord } from '../schedules.ts'

/** A schedule's run ledger as stored; null if there is none yet. */
export type Books = StoredDocument<Ledger> | null

/** What happened to each due time of a schedule. */
interface Ledger {
  /** Every due time up to this one ran, is running, or has an entry. */
  readonly until: number
  /** Newest first. */
  readonly entries: readonly Entry[]
}

interface Entry {
  readonly kind: MissKind
  readonly reason: MissReason
  readonly from: number
  readonly to: number
  readonly count: number
  readonly at: number
  /** For a range of missed runs: due times in it that ran after all. `count` excludes them. */
  readonly ran?: readonly number[]
  readonly lateMs?: number
  readonly executionId?: string
}

export interface AccountedRun {
  readonly executionId: string
  readonly dueAt: number
  /** Its outcome: it runs, runs late for a reason, or is skipped for a reason. */
  readonly outcome: 'run' | { readonly late: MissReason; readonly lateMs: number } | { readonly leftOut: MissReason }
}

const LEDGERS = 'schedule-ledgers'
const MAX_WRITE_ATTEMPTS = 20
const MISSES_PER_CALL = 500
/** How many entries are kept: enough for a schedule's bad days. An outage is a single entry, however many runs it cost. */
const MAX_ENTRIES = 50
/** How many missed runs are counted at once: enough to tell a bad day from a good one. A longer outage counts as this many. */
const MAX_COUNTED_AT_ONCE = 1000

/**
 * Keeps the run ledger of each schedule: a due time between two runs that is not in it was missed. Runs are recorded when they start, with
 * the time they were due, so two that start out of order correct each other.
 */
export function createRunLedger(documents: DocumentStore, store: ScheduleStore, now: () => number) {
  const read = (scheduleId: string): Promise<Books> => documents.get<Ledger>(LEDGERS, scheduleId)

  return {
    read,

    /** In the order of the ids. */
    readMany: (scheduleIds: readonly string[]): Promise<Books[]> => documents.getMany<Ledger>(LEDGERS, scheduleIds),

    /**
     * The first due time before another that neither ran nor has an entry; null if there is none.
     * @param but a due time that may still run
     */
    firstNotRun({ id, value: rules }: StoredSchedule, books: Books, before: number, but: number | null = null): number | null {
      const until = Math.max(books?.value.until ?? -Infinity, rules.activeSince)
      return before > until ? dueTimesBetween(id, rules, until, before, 2).find(at => at !== but) ?? null : null
    },

    /** Whether the run of a due time is recorded as started. */
    hasRun({ value: { activeSince } }: StoredSchedule, books: Books, dueAt: number): boolean {
      const { until = -Infinity, entries = [] } = books?.value ?? {}
      return dueAt <= Math.max(until, activeSince) && !entries.some(entry => isMissOf(entry, dueAt))
    },

    /**
     * Records a run, and the due times since the previous run as missed.
     * @param reasonAt why a run due at that time was not taken
     * @param known the ledger as just read
     */
    async account(schedule: StoredSchedule, run: AccountedRun, reasonAt: (instant: number) => MissReason, known: Books): Promise<void> {
      const { value: rules, id } = schedule
      await write(id, ledger => {
        const until = Math.max(ledger.until, rules.activeSince)
        const passed = run.dueAt > until ? dueTimesBetween(id, rules, until, run.dueAt, MAX_COUNTED_AT_ONCE) : []
        let entries = ledger.entries
        entries = withEachMissed(entries, passed, reasonAt, now(), ledger.until)
        let missed = passed.length
        const { outcome, dueAt, executionId } = run
        const isEntry = entries.some(entry => isMissOf(entry, dueAt))
        if (outcome !== 'run' && 'leftOut' in outcome) {
          if (isEntry) return { ledger: { until: Math.max(until, dueAt), entries }, missed, late: 0 }
          entries = withMissed(entries, [dueAt], outcome.leftOut, now(), passed.at(-1) ?? ledger.until)
          missed++
        } else {
          if (dueAt <= until && isEntry) {
            entries = withoutMiss(entries, dueAt)
            missed--
          }
          if (outcome !== 'run') {
            const { late: reason, lateMs } = outcome
            entries = [{ kind: 'late', reason, from: dueAt, to: dueAt, count: 1, at: now(), lateMs, executionId }, ...entries]
          }
        }
        return { ledger: { until: Math.max(until, dueAt), entries }, missed, late: Number(outcome !== 'run' && 'late' in outcome) }
      }, known)
    },

    /**
     * Removes a recorded run that did not start after all. If the ledger continues past it, the run counts as missed, because no later run
     * would find it. If the ledger ends with it, the schedule was disabled before another run was due.
     */
    async takeBack({ id }: StoredSchedule, run: Omit<AccountedRun, 'outcome'>, reasonAt: (instant: number) => MissReason): Promise<void> {
      const { executionId, dueAt } = run
      await write(id, ({ until, entries }) => {
        const others = entries.filter(each => each.kind !== 'late' || each.executionId !== executionId)
        const isPassed = dueAt < until && !entries.some(entry => isMissOf(entry, dueAt))
        if (!isPassed && others.length === entries.length) return null
        return {
          ledger: { until, entries: isPassed ? withMissed(others, [dueAt], reasonAt(dueAt), now(), -Infinity) : others },
          missed: Number(isPassed), late: others.length - entries.length
        }
      })
    },

    /** Records due times that are not in the ledgers as missed, in one call per few hundred schedules. */
    async missMany(misses: readonly Miss[]): Promise<void> {
      for (const chunk of inChunks(misses, MISSES_PER_CALL)) await writeMisses(chunk)
    },

    async list(scheduleId: string): Promise<MissRecord[]> {
      const { entries = [] } = (await read(scheduleId))?.value ?? {}
      return entries.map(({ kind, reason, from, to, count, at, lateMs = null, executionId = null }) =>
        ({ kind, reason, firstDueAt: from, lastDueAt: to, count, recordedAt: at, lateMs, executionId }))
    },

    /** Moves a schedule's ledger and counters to another id. It can be repeated after a part of it was done. */
    async move(from: string, to: string): Promise<void> {
      for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
        // Read first: if another process moves them first, the write below is refused, and nothing is counted twice.
        const moved = await read(to)
        const [books, { missed: [missed = 0], late: [late = 0] }] = await Promise.all([read(from), store.missedAndLate([from])])
        if (books === null && missed === 0 && late === 0) return
        // Adds and subtracts in one step, so a repetition after a kill counts nothing twice.
        const increments = [...store.countersOf(to, { missed, late }), ...store.countersOf(from, { missed: -missed, late: -late })]
        const ledger = joined(moved?.value ?? NOTHING_MOVED, books?.value ?? NOTHING_MOVED)
        if (await documents.put(LEDGERS, to, kept(ledger), { ifVersion: moved?.version ?? 0, increments }) !== null)
          return await this.forget(from)
      }
      throw new Error(`The runs of the schedule ${to} are constantly being written by other processes`)
    },

    async forget(scheduleId: string): Promise<void> {
      await Promise.all([documents.delete(LEDGERS, scheduleId), store.forgetCounters(scheduleId)])
    }
  }

  async function missOne(miss: Omit<Miss, 'books'>): Promise<void> {
    await write(miss.schedule.id, ledger => changeOf(miss, ledger))
  }

  function changeOf({ schedule, from = -Infinity, to, but, reasonAt }: Omit<Miss, 'books'>, ledger: Ledger): Change | null {
    const { id, value: rules } = schedule
    const until = Math.max(ledger.until, rules.activeSince, from - 1)
    const passed = dueTimesBetween(id, rules, until, to + 1, MAX_COUNTED_AT_ONCE).filter(at => at !== but)
    if (passed.length === 0) return null
    const entries = withEachMissed(ledger.entries, passed, reasonAt, now(), ledger.until)
    return { ledger: { until: passed.at(-1)!, entries }, missed: passed.length, late: 0 }
  }

  async function writeMisses(misses: readonly Miss[]): Promise<void> {
    const changes: Array<{ readonly miss: Miss; readonly change: Change }> = []
    for (const [index, miss] of misses.entries()) {
      // Each may have a thousand due times, so let other work run.
      if (index % 10 === 9) await setImmediate()
      const change = changeOf(miss, miss.books?.value ?? NO_RUNS)
      if (change !== null) changes.push({ miss, change })
    }
    const replacements = changes.map(({ miss: { schedule: { id }, books }, change: { ledger, missed } }) =>
      ({ id, value: kept(ledger), ifVersion: books?.version ?? 0, adds: missed }))
    const written = await documents.replaceMany(LEDGERS, replacements, { counters: store.missedCounters })
    // Another process has written these: read them again.
    const lost = changes.filter((_, index) => !written[index])
    await inTurns(lost, ({ miss }) => missOne(miss))
  }

  /** Writes ledger and counters in one step, because a crash between two steps would separate them forever. */
  async function write(scheduleId: string, change: (ledger: Ledger) => Change | null, known?: Books): Promise<void> {
    for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
      const current = attempt === 0 && known !== undefined ? known : await read(scheduleId)
      const changed = change(current?.value ?? NO_RUNS)
      if (changed === null) return
      const increments = store.countersOf(scheduleId, changed)
      if (await documents.put(LEDGERS, scheduleId, kept(changed.ledger), { ifVersion: current?.version ?? 0, increments }) !== null) return
    }
    throw new Error(`The runs of the schedule ${scheduleId} are constantly being written by other processes`)
  }
}

const NO_RUNS: Ledger = { until: -Infinity, entries: [] }
/** JSON has no infinity. */
const NOTHING_MOVED: Ledger = { until: 0, entries: [] }

/** The ledger of one schedule that was kept under two ids. Entries that are in both are kept once. */
function joined(newer: Ledger, older: Ledger): Ledger {
  const others = older.entries.filter(({ kind, from, executionId }) =>
    !newer.entries.some(each => each.kind === kind && each.from === from && each.executionId === executionId))
  return { until: Math.max(newer.until, older.until), entries: [...newer.entries, ...others] }
}

function kept(ledger: Ledger): Ledger {
  return { ...ledger, entries: ledger.entries.slice(0, MAX_ENTRIES) }
}

/** The due times of a schedule, up to a given time, that did not run. */
export interface Miss {
  readonly schedule: StoredSchedule
  /** Default: everything that is not in the ledger. */
  readonly from?: number
  readonly to: number
  /** A due time in between that may still run. Default null. */
  readonly but?: number | null
  reasonAt(instant: number): MissReason
  /** As just read. */
  readonly books: Books
}

export type RunLedger = ReturnType<typeof createRunLedger>

interface Change {
  readonly ledger: Ledger
  /** Increase in the number of missed runs. */
  readonly missed: number
  readonly late: number
}

/** Due times in order, each with the reason at its time. */
function withEachMissed(
  entries: readonly Entry[], due: readonly number[], reasonAt: (instant: number) => MissReason, at: number, until: number
): readonly Entry[] {
  let updated = entries
  let before = until
  for (let start = 0, end = 0; start < due.length; start = end) {
    const reason = reasonAt(due[start]!)
    while (end < due.length && reasonAt(due[end]!) === reason) end++
    updated = withMissed(updated, due.slice(start, end), reason, at, before)
    before = due[end - 1]!
  }
  return updated
}

/** Consecutive misses with the same reason share one entry. */
function withMissed(entries: readonly Entry[], due: readonly number[], reason: MissReason, at: number, until: number): readonly Entry[] {
  const [from, to] = [due[0]!, due.at(-1)!]
  // A late run that stands for a whole outage appears between the parts of the outage.
  const index = entries.findIndex(({ kind }) => kind === 'missed')
  const last = entries[index]
  if (last?.reason === reason && last.to === until)
    return [{ ...last, to, count: last.count + due.length, at }, ...entries.toSpliced(index, 1)]
  return [{ kind: 'missed', reason, from, to, count: due.length, at }, ...entries]
}

function withoutMiss(entries: readonly Entry[], dueAt: number): readonly Entry[] {
  const index = entries.findIndex(entry => isMissOf(entry, dueAt))
  const entry = entries[index]!
  if (entry.count === 1) return entries.toSpliced(index, 1)
  return entries.with(index, { ...entry, count: entry.count - 1, ran: [...entry.ran ?? [], dueAt] })
}

function isMissOf({ kind, from, to, ran }: Entry, dueAt: number): boolean {
  return kind === 'missed' && dueAt >= from && dueAt <= to && !ran?.includes(dueAt)
}
