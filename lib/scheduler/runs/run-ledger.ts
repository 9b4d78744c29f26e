import { setImmediate } from 'node:timers/promises'
import type { MissKind, MissReason } from '../../../schemas/schedule.ts'
import type { DocumentStore, StoredDocument } from '../../stores/documents/documents.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { instantsBetween } from '../timing/instants.ts'
import type { ScheduleStore, StoredSchedule } from '../definitions/schedule-store.ts'
import type { MissRecord } from '../schedules.ts'

/** The ledger of one schedule as it is stored; null when there is none yet. */
export type Books = StoredDocument<Ledger> | null

/** What became of the instants of one schedule. */
interface Ledger {
  /** Every instant up to this one ran, runs, or is an entry. */
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
  /** Of a missed stretch: instants in it that started after all. They are not in `count`. */
  readonly ran?: readonly number[]
  readonly lateMs?: number
  readonly executionId?: string
}

export interface AccountedRun {
  readonly executionId: string
  readonly dueAt: number
  /** How it ends: it runs, runs late for a reason, or is left out for one. */
  readonly outcome: 'run' | { readonly late: MissReason; readonly lateMs: number } | { readonly leftOut: MissReason }
}

const LEDGERS = 'schedule-ledgers'
const WRITE_ATTEMPTS = 20
const MISSES_PER_CALL = 500
/** Enough for the bad days of a schedule; an outage is one entry, however many runs it cost. */
const MAX_ENTRIES = 50
/** Enough to tell a bad day from a good one; a longer outage counts this many. */
const MAX_COUNTED_AT_ONCE = 1000

/**
 * Keeps the books of each schedule: an instant between two runs that is not in them was missed. Runs are put down when they
 * start, with the instant they were due, so two that start out of order correct each other.
 */
export function createRunLedger(documents: DocumentStore, store: ScheduleStore, now: () => number) {
  const read = (scheduleId: string): Promise<Books> => documents.get<Ledger>(LEDGERS, scheduleId)

  return {
    read,

    /** In the order of the ids. */
    readMany: (scheduleIds: readonly string[]): Promise<Books[]> => documents.getMany<Ledger>(LEDGERS, scheduleIds),

    /**
     * The first instant before another that neither ran nor is an entry; null when there is none.
     * @param but one that may still run
     */
    firstNotRun({ id, value: rules }: StoredSchedule, books: Books, before: number, but: number | null = null): number | null {
      const until = Math.max(books?.value.until ?? -Infinity, rules.activeSince)
      return before > until ? instantsBetween(id, rules, until, before, 2).find(at => at !== but) ?? null : null
    },

    /** Whether it is put down that the run of an instant was let in. */
    hasRun({ value: { activeSince } }: StoredSchedule, books: Books, dueAt: number): boolean {
      const { until = -Infinity, entries = [] } = books?.value ?? {}
      return dueAt <= Math.max(until, activeSince) && !entries.some(entry => isMissOf(entry, dueAt))
    },

    /**
     * Puts a run down, and what lies between it and the one before as missed.
     * @param reasonAt why what was due at an instant was not taken
     * @param known the books as they were read a moment ago
     */
    async account(schedule: StoredSchedule, run: AccountedRun, reasonAt: (instant: number) => MissReason, known: Books): Promise<void> {
      const { value: rules, id } = schedule
      await write(id, ledger => {
        const until = Math.max(ledger.until, rules.activeSince)
        const passed = run.dueAt > until ? instantsBetween(id, rules, until, run.dueAt, MAX_COUNTED_AT_ONCE) : []
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
     * Takes a run back that was put down and did not start after all. It is missed where the books go on behind it: nobody would find it
     * missing there. Where they end with it, its schedule was switched off before another was due.
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

    /** Puts down as missed what was due of each and is not in its books, in one call for every few hundred. */
    async missMany(misses: readonly Miss[]): Promise<void> {
      for (const chunk of inChunks(misses, MISSES_PER_CALL)) await writeMisses(chunk)
    },

    async list(scheduleId: string): Promise<MissRecord[]> {
      const { entries = [] } = (await read(scheduleId))?.value ?? {}
      return entries.map(({ kind, reason, from, to, count, at, lateMs = null, executionId = null }) =>
        ({ kind, reason, firstDueAt: from, lastDueAt: to, count, recordedAt: at, lateMs, executionId }))
    },

    /** Goes on with the books of a schedule, and what was counted, under another id that has none yet. */
    async move(from: string, to: string): Promise<void> {
      const [books, { missed: [missed = 0], late: [late = 0] }] = await Promise.all([read(from), store.missedAndLate([from])])
      await Promise.all([
        books !== null && documents.put(LEDGERS, to, books.value, { ifVersion: 0 }),
        missed !== 0 && store.addMissed(to, missed),
        late !== 0 && store.addLate(to, late)
      ])
      await this.forget(from)
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
    const passed = instantsBetween(id, rules, until, to + 1, MAX_COUNTED_AT_ONCE).filter(at => at !== but)
    if (passed.length === 0) return null
    const entries = withEachMissed(ledger.entries, passed, reasonAt, now(), ledger.until)
    return { ledger: { until: passed.at(-1)!, entries }, missed: passed.length, late: 0 }
  }

  async function writeMisses(misses: readonly Miss[]): Promise<void> {
    const changes: Array<{ readonly miss: Miss; readonly change: Change }> = []
    for (const [index, miss] of misses.entries()) {
      // Each may be a thousand instants: others have their turn.
      if (index % 10 === 9) await setImmediate()
      const change = changeOf(miss, miss.books?.value ?? NO_RUNS)
      if (change !== null) changes.push({ miss, change })
    }
    const replacements = changes.map(({ miss: { schedule: { id }, books }, change: { ledger, missed } }) =>
      ({ id, value: kept(ledger), ifVersion: books?.version ?? 0, adds: missed }))
    const written = await documents.replaceMany(LEDGERS, replacements, { counters: store.missedCounters })
    // Others wrote these meanwhile: they are read again.
    const lost = changes.filter((_, index) => !written[index])
    await inTurns(lost, ({ miss }) => missOne(miss))
  }

  /** Books and counters in one step: a process that dies between the two would leave them apart for ever. */
  async function write(scheduleId: string, change: (ledger: Ledger) => Change | null, known?: Books): Promise<void> {
    for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
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

function kept(ledger: Ledger): Ledger {
  return { ...ledger, entries: ledger.entries.slice(0, MAX_ENTRIES) }
}

/** What was due of a schedule, up to an instant, and nobody ran. */
export interface Miss {
  readonly schedule: StoredSchedule
  /** Default: all that is not in the books. */
  readonly from?: number
  readonly to: number
  /** An instant between that may still run. Default null. */
  readonly but?: number | null
  reasonAt(instant: number): MissReason
  /** As they were read a moment ago. */
  readonly books: Books
}

export type RunLedger = ReturnType<typeof createRunLedger>

interface Change {
  readonly ledger: Ledger
  /** More of them than before. */
  readonly missed: number
  readonly late: number
}

/** Instants in order, each with the reason of its time. */
function withEachMissed(
  entries: readonly Entry[], due: readonly number[], reasonAt: (instant: number) => MissReason, at: number, until: number
): readonly Entry[] {
  let told = entries
  let before = until
  for (let start = 0, end = 0; start < due.length; start = end) {
    const reason = reasonAt(due[start]!)
    while (end < due.length && reasonAt(due[end]!) === reason) end++
    told = withMissed(told, due.slice(start, end), reason, at, before)
    before = due[end - 1]!
  }
  return told
}

/** One entry for what follows each other without a run between and has one reason. */
function withMissed(entries: readonly Entry[], due: readonly number[], reason: MissReason, at: number, until: number): readonly Entry[] {
  const [from, to] = [due[0]!, due.at(-1)!]
  // A late run that stands for all of an outage is told between the parts of it.
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
