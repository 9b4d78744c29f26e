import { forgetOldest } from '../../../collections/forget-oldest.ts'
import type { FinishedExecution, MissingField } from '../../../execution.ts'
import { valueOrText } from '../../../json/foreign-json.ts'
import { failureFromStack, isLost } from '../../jobs/attempt-error.ts'
import { finishedIdOf } from '../observed-id.ts'
import { plannedTimeOfJob, schedulerOfJob } from '../../schedulers/planned-job-id.ts'
import { scheduleIdOf } from '../schedulers/observed-scheduler.ts'

/** An entry of a queue's event stream, as BullMQ 5 and 6 write it. */
export interface QueueEvent extends TellingEvent {
  /** Characters of all fields, including those that are not used here. */
  readonly size: number
}

/** The parts of an event that are used. */
export interface TellingEvent {
  /** `milliseconds-sequence`, by the server's clock; on PostgreSQL see `serialEventId`. */
  readonly id: string
  readonly fields: EventFields
  /** The event was too large to be read whole: its result is missing, and other texts are cut. */
  readonly isCut?: true
}

/** The fields that tell something about a job. */
export interface EventFields {
  readonly event?: string | undefined
  readonly jobId?: string | undefined
  readonly name?: string | undefined
  readonly delay?: string | undefined
  readonly prev?: string | undefined
  readonly returnvalue?: string | undefined
  readonly failedReason?: string | undefined
}

/** What is known from the events of a job so far. Times are in milliseconds since the epoch; null if no event contains it. */
interface Story {
  readonly taskName: string
  /** The position just before its first event. */
  readonly from: string
  name: string | null
  addedAt: number | null
  /** From when it could start. */
  dueAt: number | null
  firstStart: number | null
  lastStart: number | null
  starts: number
  /** Starts that used up an attempt. */
  attempts: number
  /** It had started before its first event. */
  isContinued: boolean
}

/** A job that ended, according to its events. */
export interface ToldFinish {
  readonly taskName: string
  readonly jobId: string
  readonly eventId: string
  /** By the server's clock. */
  readonly at: number
  readonly status: 'success' | 'failed'
  /** Rebuilds the execution from the events, for a job that is gone. */
  rebuild(): FinishedExecution
}

/**
 * How many jobs that have begun and not ended are followed, at some hundred bytes each. If there are more, the oldest are forgotten, and
 * their executions lack the start.
 */
const MAX_STORIES = 100_000

export interface JobStories {
  /** Takes the next event of a queue. Events must come in their order. Returns the job that ended with it, if one did. */
  tell(queue: { readonly taskName: string; readonly name: string }, event: TellingEvent): ToldFinish | null
  /** By task: a position before the first event of every job that has begun and not ended. */
  openFrom(): ReadonlyMap<string, string>
}

/** Follows jobs through the events of their queues. Pure: all times come from the events. */
export function createJobStories(maxStories: number = MAX_STORIES): JobStories {
  /** Ordered by their last event: the latest is at the end. */
  const stories = new Map<string, Story>()
  const openOf = new Map<string, OpenStories>()

  function begin(key: string, story: Story): void {
    const open = openOf.get(story.taskName) ?? { stories: new Map<string, Story>(), latest: story.from, isInOrder: true }
    // Events are read again after the position has moved back.
    if (isBefore(story.from, open.latest)) open.isInOrder = false
    else open.latest = story.from
    open.stories.set(key, story)
    openOf.set(story.taskName, open)
  }

  function forget(key: string): Story | undefined {
    const story = stories.get(key)
    if (story === undefined) return undefined
    stories.delete(key)
    const open = openOf.get(story.taskName)!
    open.stories.delete(key)
    if (open.stories.size === 0) openOf.delete(story.taskName)
    return story
  }

  return {
    tell(queue, told) {
      const { id, fields } = told
      const { event, jobId } = fields
      if (event === undefined || jobId === undefined || jobId === '') return null
      const at = timeOfEvent(id)
      const key = `${queue.taskName}:${jobId}`
      if (event === 'completed' || event === 'failed') {
        const story = forget(key) ?? UNKNOWN
        const status = event === 'completed' ? 'success' : 'failed'
        return { taskName: queue.taskName, jobId, eventId: id, at, status, rebuild: () => rebuild(queue, told, { ...story }) }
      }
      if (event === 'removed') {
        forget(key)
        return null
      }
      if (!TELLING.has(event)) return null
      const known = stories.get(key)
      const story = known ?? { ...untold(queue.taskName, justBefore(id)), isContinued: continues(fields) }
      if (known === undefined) begin(key, story)
      // Moves it to the end, because the first ones are forgotten first.
      stories.delete(key)
      stories.set(key, story)
      forgetOldest(stories, maxStories, forget)
      advance(story, event, fields, at)
      return null
    },
    openFrom() {
      return new Map([...openOf].map(([taskName, open]) => {
        if (!open.isInOrder) sort(open)
        return [taskName, open.stories.values().next().value!.from]
      }))
    }
  }
}

/** The stories of one task, by key. They are in the order of their first events, unless `isInOrder` is false. */
interface OpenStories {
  stories: Map<string, Story>
  /** The newest `from`. */
  latest: string
  isInOrder: boolean
}

function sort(open: OpenStories): void {
  const sorted = [...open.stories].sort(([, { from: one }], [, { from: other }]) =>
    isBefore(one, other) ? -1 : isBefore(other, one) ? 1 : 0)
  open.stories = new Map(sorted)
  open.latest = sorted.at(-1)![1].from
  open.isInOrder = true
}

function untold(taskName: string, from: string): Story {
  const times = { addedAt: null, dueAt: null, firstStart: null, lastStart: null }
  return { taskName, from, name: null, ...times, starts: 0, attempts: 0, isContinued: false }
}

const UNKNOWN: Story = untold('', '')
const TELLING: ReadonlySet<string> = new Set(['added', 'waiting', 'delayed', 'active', 'stalled', 'waiting-children'])

/** Whether a job whose first known event this is had started before: it was retried, or lost with its worker. */
function continues({ event, prev }: EventFields): boolean {
  // A first `delayed` is a retry: on Redis, `added` comes before it, and on PostgreSQL, a run of a job scheduler is added without an event.
  return event === 'waiting' ? prev === 'active' || prev === 'failed' || prev === 'completed' : event === 'delayed' || event === 'stalled'
}

function advance(story: Story, event: string, { name, delay, prev }: EventFields, at: number): void {
  if (event === 'added') {
    story.name = name ?? null
    story.addedAt = at
    story.dueAt = story.firstStart = story.lastStart = null
    // On PostgreSQL, no event tells that an earlier job with this id was removed.
    story.starts = story.attempts = 0
    story.isContinued = false
  // After a start, `waiting` is a retry, or a parent that continues.
  } else if (event === 'waiting' && story.starts === 0 && prev !== 'active') story.dueAt = Math.min(story.dueAt ?? at, at)
  else if (event === 'delayed' && story.starts === 0) story.dueAt = wholeOf(delay) ?? at
  else if (event === 'active') {
    // On PostgreSQL, BullMQ writes no event when it adds a run of a job scheduler.
    story.name ??= name ?? null
    story.starts++
    story.attempts++
    story.lastStart = at
    story.firstStart ??= at
  // The worker died, or the job waits for children that it added. Its next start belongs to the same attempt.
  } else if (event === 'stalled' || event === 'waiting-children') story.attempts = Math.max(story.attempts - 1, 0)
}

function rebuild(
  { taskName, name: queue }: { readonly taskName: string; readonly name: string }, { id, fields, isCut }: TellingEvent, story: Story
): FinishedExecution {
  const at = timeOfEvent(id)
  const { event, jobId = '', returnvalue, failedReason = '' } = fields
  const scheduler = schedulerOfJob(jobId)
  const status = event === 'completed' ? 'success' : 'failed'
  const error = status === 'failed' ? failureFromStack(undefined, failedReason) : null
  // If BullMQ gave the job up, it is not known when its process died.
  const startedAt = isLost(failedReason) ? null : story.lastStart
  const [attempt, plannedAt] = [Math.max(story.attempts, 1), plannedTimeOfJob(jobId)]
  // A planned run counts as submitted when it was planned for.
  const addedAt = plannedAt ?? story.addedAt
  const submittedAt = addedAt ?? story.firstStart ?? at
  const missing: MissingField[] = [
    'args', 'logs', 'priority', 'max_attempts', ...status === 'failed' ? ['stack'] as const : [],
    ...addedAt === null ? ['submitted_at'] as const : [], ...story.lastStart === null ? ['started_at'] as const : [],
    ...story.name === null ? ['job_name'] as const : []
  ]
  return {
    executionId: partialIdOf(taskName, jobId, id),
    taskName,
    queue,
    status,
    state: status === 'success' ? 'completed' : 'failed',
    attempt,
    maxAttempts: attempt,
    priority: 0,
    scheduleId: scheduler === null ? null : scheduleIdOf(taskName, scheduler),
    retryOf: null,
    workerId: null,
    submittedAt,
    startedAt,
    finishedAt: at,
    waitMs: waitOf(story, plannedAt),
    durationMs: startedAt === null ? null : Math.max(at - startedAt, 0),
    progress: null,
    error,
    errorGroup: null,
    args: null,
    result: status === 'success' && returnvalue ? valueOrText(returnvalue) : null,
    attempts: [{ attempt, startedAt, finishedAt: at, workerId: null, error }],
    logs: [],
    truncated: isCut !== true ? [] : [status === 'success' ? '/result' : '/error/message'],
    ...(isCut === true && status === 'success' && { resultProblem: 'result is too large to be read' }),
    ...(story.name !== null && { jobName: story.name }),
    missing
  }
}

/**
 * Counts from when the job could start. An owner may add a job with a time of long ago, or start one before its time.
 * @param plannedAt null if no scheduler planned it
 */
function waitOf({ addedAt, dueAt, firstStart, isContinued }: Story, plannedAt: number | null): number | null {
  if (firstStart === null || isContinued) return null
  if (plannedAt !== null) return Math.max(firstStart - Math.min(dueAt ?? plannedAt, plannedAt), 0)
  return addedAt === null ? null : Math.max(firstStart - Math.max(dueAt ?? addedAt, addedAt), 0)
}

/** The end of the event's id makes this id unique: an owner may reuse the id of a removed job in the same millisecond. */
function partialIdOf(taskName: string, jobId: string, eventId: string): string {
  return `${finishedIdOf(taskName, jobId, timeOfEvent(eventId))}-${eventId.split('-').at(-1) ?? '0'}`
}

/**
 * The id of an event on PostgreSQL: `milliseconds-0-number`. Only the number tells its place, because the times of concurrent writers do
 * not rise with it.
 */
export function serialEventId(serial: number, at: number): string {
  return `${at}-0-${serial}`
}

/** 0 for a position before every event. */
export function serialOf(id: string): number {
  return serialIn(id) ?? 0
}

function serialIn(id: string): number | null {
  const dash = id.indexOf('-')
  const second = dash === -1 ? -1 : id.indexOf('-', dash + 1)
  return second === -1 ? null : Number(id.slice(second + 1))
}

export function isBefore(one: string, other: string): boolean {
  const serial = serialIn(one)
  const otherSerial = serialIn(other)
  if (serial !== null && otherSerial !== null) return serial < otherSerial
  const [ms, otherMs] = [timeOfEvent(one), timeOfEvent(other)]
  return ms < otherMs || ms === otherMs && sequenceOf(one) < sequenceOf(other)
}

function sequenceOf(id: string): number {
  return id.includes('-') ? Number.parseInt(id.slice(id.indexOf('-') + 1), 10) : 0
}

/** The position before an event. On Redis, events of the same millisecond are read again as well. */
function justBefore(id: string): string {
  const serial = serialOf(id)
  return serial > 0 ? serialEventId(serial - 1, timeOfEvent(id)) : `${timeOfEvent(id) - 1}-0`
}

export function timeOfEvent(id: string): number {
  return Number.parseInt(id, 10)
}

function wholeOf(text: string | undefined): number | null {
  const value = text === undefined ? NaN : Number(text)
  return Number.isSafeInteger(value) ? value : null
}
