import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import type { Discovery, SeenQueue } from '../../../engine/observing/discovery.ts'
import type { ManagedQueues, PlanChange } from '../../../engine/observing/managing/manage-queues.ts'
import type { PlanOutcome } from '../../../engine/observing/managing/plan-scheduler.ts'
import { liveIdOf } from '../../../engine/observing/observed-id.ts'
import type { ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import type { SchedulerReads } from '../../../engine/observing/schedulers/scheduler-reads.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import { objectFrom } from '../../../json/foreign-json.ts'
import { requireVersion } from '../../../scheduler/definitions/schedule-document.ts'
import { invalidSchedule } from '../../../scheduler/definitions/schedule-input.ts'
import type { Edit } from '../../../scheduler/definitions/schedule-store.ts'
import type { ScheduleChanges, ScheduleRecord, Schedules } from '../../../scheduler/schedules.ts'
import { confirmed, isOutOfReach } from '../../../stores/failures/unavailable.ts'
import { UNCHANGED_SCHEDULES } from '../without-changes.ts'
import type { ObservedScheduleReads } from './observed-schedules.ts'
import { changedDefinition, changeTo, definitionOf, EDITED_FIELDS } from './owners-change.ts'
import { newBook, type OwnersDefinition, type ScheduleBook, type ScheduleBooks } from './schedule-book.ts'
import { asPlanned, DISABLED_UNTIL_MS, isDisabled, nextOf, timingOf, versionOf } from './to-observed-record.ts'

interface Dependencies {
  readonly managed: ManagedQueues
  readonly discovery: Pick<Discovery, 'queueOf'>
  readonly books: ScheduleBooks
  readonly schedulers: SchedulerReads<SeenQueue>
  readonly reads: ObservedScheduleReads
}

export interface ManagedSchedules extends Pick<Schedules, 'create' | 'setEnabled' | 'update' | 'runNow' | 'delete'> {
  /**
   * Applies a person's decision again if the owner's code has overwritten it and the decision wins. Returns whether anything was changed.
   */
  settle(scheduler: ObservedScheduler, scheduleId: string, book: ScheduleBook): Promise<boolean>
}

/** How often a change is tried: the owner's change, or a run that begins, may come in between. */
const MAX_TRIES = 10
const PAUSE_MS = 50

/**
 * Changes job schedulers of existing queues. A person's decision is first stored in the scheduler's book and then applied. If the owner's
 * code overwrites it, the watch applies it again. The job of the next run is moved, never removed.
 */
export function createManagedSchedules({ managed, discovery, books, schedulers, reads }: Dependencies): ManagedSchedules {
  async function findOne(scheduleId: string) {
    const known = await reads.find(scheduleId)
    if (known === null) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
    const queue = discovery.queueOf(known.scheduler.taskName)
    const scheduler = queue === undefined ? null : await schedulers.find(queue, known.scheduler.id)
    if (queue === undefined || scheduler === null) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
    if (scheduler.kind === 'repeatable') throw refusal('repeatable')
    return { queue, scheduler, book: (await books.get(scheduleId))?.value ?? null }
  }

  async function shown(scheduleId: string): Promise<ScheduleRecord> {
    reads.forget()
    const record = await reads.get(scheduleId)
    if (record === null) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
    return record
  }

  /**
   * Reads a scheduler and changes it. Tries again if someone else changed it. Null: nothing has to change, or the scheduler is
   * gone.
   */
  async function plan(
    queue: SeenQueue, schedulerId: string, changeOf: (scheduler: ObservedScheduler, now: number) => Promise<PlanChange | null>
  ): Promise<PlanOutcome | null> {
    let outcome: PlanOutcome = 'between'
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await sleep(PAUSE_MS)
      const [scheduler, now] = await Promise.all([schedulers.find(queue, schedulerId), schedulers.now(queue)])
      const change = scheduler === null ? null : await changeOf(scheduler, now)
      if (change === null) return null
      outcome = await managed.plan(queue, schedulerId, change)
      if (!PASSING.has(outcome)) return outcome
    }
    if (outcome !== 'between') throw refusal('contested')
    return outcome
  }

  const disable = (queue: SeenQueue, schedulerId: string) => plan(queue, schedulerId, async (scheduler, now) =>
    isDisabled(scheduler) ? null : { plannedAt: scheduler.plannedAt, to: DISABLED_UNTIL_MS, now })

  const enable = (queue: SeenQueue, schedulerId: string, book: ScheduleBook | null) => {
    let after = 0
    return plan(queue, schedulerId, async (scheduler, now) => {
      if (!isDisabled(scheduler)) return null
      const to = nextOf(asPlanned(scheduler, book), Math.max(now, after))
      if (to === null) throw refusal(scheduler.endAt !== null && scheduler.endAt <= now ? 'ended' : 'unreadable')
      // If a job has this time already, the next try takes the one after.
      after = to
      return { plannedAt: scheduler.plannedAt, to, now }
    })
  }

  const define = (queue: SeenQueue, schedulerId: string, wanted: OwnersDefinition, book: ScheduleBook | null, isEdit: boolean) =>
    plan(queue, schedulerId, async (scheduler, now) => {
      const opts = await schedulers.optionsOfNext(queue, scheduler)
      if (opts === undefined) throw refusal('too_large')
      const zone = wanted.timezone ?? timingOf(asPlanned(scheduler, book)).timezone
      return opts === null
        ? { plannedAt: scheduler.plannedAt, to: scheduler.plannedAt, now }
        : changeTo(scheduler, wanted, opts, { now, zone, isEdit })
    })

  /** Applies a decision that is already in the book. If the server is out of reach, the decision is applied later. */
  async function done(work: () => Promise<PlanOutcome | null>, takeBack: () => Promise<unknown>): Promise<void> {
    let outcome: PlanOutcome | null
    try {
      outcome = await work()
    } catch (error) {
      // What a server refuses now, it would refuse later too.
      if (isOutOfReach(error) && error.code !== 'STORE_REFUSED') throw createTaskDashboardError('UNCONFIRMED', [], { cause: error })
      await takeBack()
      throw error
    }
    if (outcome === null || outcome === 'planned') return
    await takeBack()
    throw refusal(outcome)
  }

  const decide = (scheduleId: string, scheduler: ObservedScheduler, change: (book: ScheduleBook) => ScheduleBook) => confirmed(
    () => books.change(scheduleId, book => change(book ?? newBook(scheduler, Date.now()))), 'result backend'
  )

  async function setEnabled(scheduleId: string, enabled: boolean, by: string | null = null): Promise<ScheduleRecord> {
    const { queue, scheduler, book } = await findOne(scheduleId)
    if (!enabled && nextOf(asPlanned(scheduler, book), await schedulers.now(queue)) === null) throw refusal('unreadable')
    const disabled: Edit | null = enabled ? null : book?.disabled ?? { at: Date.now(), by }
    if (enabled !== !isDisabled(scheduler) || (book?.disabled ?? null) !== null === enabled) {
      await decide(scheduleId, scheduler, current => ({
        ...current, disabled, plannedAt: isDisabled(scheduler) ? current.plannedAt : scheduler.plannedAt
      }))
      await done(
        () => enabled ? enable(queue, scheduler.id, book) : disable(queue, scheduler.id),
        () => books.change(scheduleId, current => current && { ...current, disabled: book?.disabled ?? null })
      )
    }
    return await shown(scheduleId)
  }

  async function update(
    scheduleId: string, changes: ScheduleChanges, { by = null, ifVersion }: { by?: string | null; ifVersion?: string } = {}
  ): Promise<ScheduleRecord> {
    const { queue, scheduler, book } = await findOne(scheduleId)
    requireVersion(versionOf(scheduler, book), ifVersion)
    const { enabled, wins, ...others } = changes
    const owners = wins === 'code' ? book?.owners ?? null : null
    const isReverted = owners !== null
    const current = definitionOf(scheduler)
    const base = owners ?? current
    const wanted = changedDefinition(base, others)
    if (wanted.pattern !== current.pattern && (wanted.timezone ?? timingOf(asPlanned(scheduler, book)).timezone) === null)
      throw invalidSchedule([{ pointer: '/timezone', message: 'is missing: its owner named none' }])
    const isChanged = isReverted || EDITED_FIELDS.some(field => wanted[field] !== current[field])
    if (isChanged || wins !== undefined) {
      const edit: Edit = { at: Date.now(), by }
      await decide(scheduleId, scheduler, before => {
        const edits = isReverted ? {} : before.edits
        const changed = EDITED_FIELDS.filter(field => wanted[field] !== base[field])
        const next = { ...edits, ...Object.fromEntries(changed.map(field => [field, { ...edit, value: wanted[field] }])) }
        return {
          ...before, edits: next, wins: wins ?? before.wins,
          owners: Object.keys(next).length === 0 ? null : before.owners ?? current
        }
      })
      const isEdit = EDITED_FIELDS.some(field => wanted[field] !== (isReverted ? base[field] : book?.owners?.[field] ?? current[field]))
      if (isChanged) await done(
        () => define(queue, scheduler.id, wanted, book, isEdit),
        () => books.change(scheduleId, () => book ?? newBook(scheduler, edit.at))
      )
    }
    return enabled === undefined ? await shown(scheduleId) : await setEnabled(scheduleId, enabled, by)
  }

  async function runNow(
    scheduleId: string, { id, isRepeated }: { readonly id: string; readonly isRepeated: boolean } = { id: uuid(), isRepeated: false }
  ): Promise<string> {
    const { queue, scheduler } = await findOne(scheduleId)
    const template = scheduler.opts
    if (template === undefined) throw refusal('too_large')
    const opts = objectFrom(template ?? '{}')
    if (opts === null || 'de' in opts || 'deduplication' in opts) throw refusal('deduplicated')
    // If the queue has already removed the first job, a repeated request would add it a second time.
    if (isRepeated && !await schedulers.hasJob(queue, id)) throw createTaskDashboardError('UNCONFIRMED')
    const priority = typeof opts['priority'] === 'number' ? opts['priority'] : 0
    const now = await schedulers.now(queue)
    const outcome = await confirmed(() => managed.run(queue, scheduler.id, {
      jobId: id, now, knownOpts: template ?? '', opts: JSON.stringify({ ...opts, jobId: id }), priority
    }))
    if (outcome === 'added') return liveIdOf(queue.taskName, id)
    throw outcome === 'gone' ? createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId]) : refusal(outcome)
  }

  return {
    create: UNCHANGED_SCHEDULES.create,
    delete: UNCHANGED_SCHEDULES.delete,
    setEnabled,
    update,
    runNow,
    async settle(scheduler, scheduleId, book) {
      const queue = discovery.queueOf(scheduler.taskName)
      if (queue === undefined || scheduler.kind === 'repeatable') return false
      const isEditDue = !scheduler.isEdited && Object.keys(book.edits).length > 0
      if (!isEditDue && (book.disabled === null || isDisabled(scheduler))) return false
      // The book may have been read before this process was frozen. The next check sees what was decided since.
      const read = await books.get(scheduleId)
      if (read === null || !isSameDecision(read.value, book)) return false
      const hasChanged = await settleOne(queue, scheduler, scheduleId, read.value, isEditDue)
      if (hasChanged) reads.forget()
      return hasChanged
    }
  }

  async function settleOne(
    queue: SeenQueue, scheduler: ObservedScheduler, scheduleId: string, book: ScheduleBook, isEditDue: boolean
  ): Promise<boolean> {
    const owners = definitionOf(scheduler)
    const wantedBy = ({ edits }: ScheduleBook): OwnersDefinition =>
      ({ ...owners, ...Object.fromEntries(Object.entries(edits).map(([field, edit]) => [field, edit.value])) })
    let isDefined = false
    if (isEditDue) {
      // The owner's code has written the scheduler since the edit.
      if (book.wins === 'live') isDefined = await define(queue, scheduler.id, wantedBy(book), book, true) === 'planned'
      if (isDefined || book.wins === 'code') await books.change(scheduleId, current => {
        if (current === null || !isSameDecision(current, book)) return null
        return book.wins === 'live' ? { ...current, owners } : { ...current, edits: {}, owners: null }
      })
    }
    const isDue = book.disabled !== null && !isDisabled(scheduler)
    const isOff = isDue && await disable(queue, scheduler.id) === 'planned'
    if (!isDefined && !isOff) return false
    // A person's decision is stored in the book before it is applied. A decision made since then was already applied, and the changes above
    // have overwritten it. So it is applied again.
    const since = (await books.get(scheduleId))?.value ?? null
    if (since === null) return true
    if (isDefined && JSON.stringify(since.edits) !== JSON.stringify(book.edits))
      await define(queue, scheduler.id, wantedBy(since), since, Object.keys(since.edits).length > 0)
    if (isOff && since.disabled === null) await enable(queue, scheduler.id, since)
    return true
  }
}

function isSameDecision(one: ScheduleBook, other: ScheduleBook): boolean {
  return one.wins === other.wins && (one.disabled === null) === (other.disabled === null) &&
    JSON.stringify(one.edits) === JSON.stringify(other.edits)
}

/** Outcomes after which another try may succeed. */
const PASSING: ReadonlySet<PlanOutcome> = new Set(['changed', 'between', 'taken'])

const REASONS = {
  repeatable: 'It is a repeatable job from before BullMQ had job schedulers, which is left alone',
  deduplicated: 'Its runs have a deduplication key, which only its owner can keep right',
  in_flow: 'Its next run is part of a flow',
  in_group: 'Its runs are in a group of BullMQ Pro',
  gone: 'Its queue does not have it any more',
  between: 'Its run is just beginning, or it has lost its next run: try again, or let its owner call upsertJobScheduler',
  changed: 'Its owner has just changed it: try again',
  contested: 'Its owner is constantly changing it: try again',
  locked: 'Other sessions are using its tables, for example a backup: try again',
  taken: 'Its queue already has jobs for its next runs',
  ended: 'It has ended, so there is no run to plan',
  unreadable: 'Only the code of its owner can tell when it runs next',
  too_large: 'The options of its runs are too large to be read'
} as const

function refusal(reason: keyof typeof REASONS): Error {
  return createTaskDashboardError('CONFLICT', [REASONS[reason]])
}
