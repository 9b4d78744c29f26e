import type { Redis } from 'ioredis'
import type { SeenQueue } from '../../../lib/engine/observing/discovery.ts'
import { createManagedRedis } from '../../../lib/engine/observing/managing/manage-redis.ts'
import { createObservedRedis } from '../../../lib/engine/observing/redis/redis-server.ts'
import { SCHEDULERS } from '../../../lib/engine/observing/schedulers/schedulers-of-servers.ts'
import { createManagedSchedules } from '../../../lib/queue-app/observing/schedules/managed-schedules.ts'
import { createObservedSchedules } from '../../../lib/queue-app/observing/schedules/observed-schedules.ts'
import { createScheduleBooks } from '../../../lib/queue-app/observing/schedules/schedule-book.ts'
import type { ReadClient } from '../../../lib/stores/redis/observing/read-client.ts'
import { createMemoryDocuments } from '../memory-documents.ts'
import { readOneByOne } from '../read-one-by-one.ts'
import type { openQueue } from './owners-of-queues.ts'

const HOUR_MS = 3_600_000

/** The changes of somebody who manages a queue. Those that return a boolean tell whether the change was made. */
export interface Manager {
  /** Reads which version opened the queue last, as the search for queues does. */
  look(): Promise<unknown>
  pause(): Promise<boolean>
  resume(): Promise<boolean>
  retry(jobId: string, finishedOn: number): Promise<boolean>
  remove(jobId: string): Promise<boolean>
  add(jobId: string, delayMs: number, priority: number): Promise<boolean>
  prioritize(jobId: string, priority: number): Promise<unknown>
  setEnabled(isEnabled: boolean): Promise<unknown>
  /** @returns the id of the job, null if there is no schedule */
  runSchedule(): Promise<string | null>
}

interface Names { readonly queue: string; readonly scheduler: string }

/** This package, without the deadlines that its clients for existing queues have, because many seconds may pass here. */
export function managerOfPackage(redis: Redis, names: Names): Manager {
  const read = (command: string, ...values: ReadonlyArray<string | number>): Promise<unknown> =>
    redis.call(command.toLowerCase(), ...values.map(String))
  const client = { identity: 'redis', now: async () => Date.now(), read, readAll: readOneByOne(read) } as unknown as ReadClient
  const server = createObservedRedis(client)
  const queue: SeenQueue = { taskName: names.queue, name: names.queue, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  const scheduleId = `${names.queue}:${names.scheduler}`
  const managed = createManagedRedis(() => ({
    start: async () => {}, stop: async () => {},
    run: <Answer>(script: string, keys: readonly string[], ...values: ReadonlyArray<string | number>) =>
      redis.eval(script, keys.length, ...keys, ...values) as Promise<Answer>
  }), each => server.versionsOf(each))
  const discovery = { queues: () => [queue], queueOf: () => queue }
  const books = createScheduleBooks(createMemoryDocuments())
  const reads = createObservedSchedules({
    discovery, books, reads: SCHEDULERS, names: { taskOf: name => name, tasksOf: () => [] }, patienceMs: 15_000, manages: true,
    problem: () => null
  })
  const schedules = createManagedSchedules({ managed, discovery, books, schedulers: SCHEDULERS, reads })
  const unlessRefused = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> => work().catch((error: unknown) => {
    if (/SCHEDULE_NOT_FOUND|CONFLICT/.test(String((error as { code?: unknown }).code))) return null
    throw error
  })
  const isMade = async (work: () => Promise<unknown>): Promise<boolean> => await unlessRefused(() => work().then(() => true)) ?? false
  const ofSchedule = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> => {
    reads.forget()
    return unlessRefused(work)
  }
  return {
    async look() {
      await server.queues.settings([queue])
      await server.settle(() => true, () => true)
    },
    pause: () => isMade(() => managed.pause(queue)),
    resume: () => isMade(() => managed.resume(queue)),
    retry: async (jobId, finishedOn) => await managed.retry(queue, jobId, finishedOn) === 'retried',
    remove: async jobId => await managed.remove(queue, jobId) === 'removed',
    add: (jobId, delayMs, priority) => isMade(
      () => managed.add(queue, { jobId, name: 'send', data: '{}', now: Date.now(), delayMs, priority })
    ),
    prioritize: (jobId, priority) => unlessRefused(() => managed.changePriority(queue, jobId, priority)),
    setEnabled: isEnabled => ofSchedule(() => schedules.setEnabled(scheduleId, isEnabled)),
    runSchedule: async () => (await ofSchedule(() => schedules.runNow(scheduleId)))?.slice(names.queue.length + 1) ?? null
  }
}

/** The same changes made with BullMQ 6 alone. */
export function managerOfBullmq(queue: ReturnType<typeof openQueue>, { scheduler: schedulerId }: Names): Manager {
  let runs = 0
  const made = (work: Promise<unknown>): Promise<boolean> => work.then(() => true)
  return {
    look: async () => {},
    pause: () => made(queue.pause()),
    resume: () => made(queue.resume()),
    retry: async jobId => await (await queue.getJob(jobId))?.retry('failed').then(() => true, () => false) ?? false,
    remove: async jobId => await (await queue.getJob(jobId))?.remove().then(() => true, () => false) ?? false,
    add: (jobId, delay, priority) => made(queue.add('send', {}, { jobId, delay, priority })),
    prioritize: async (jobId, priority) => (await queue.getJob(jobId))?.changePriority({ priority }),
    // BullMQ cannot disable a scheduler, only remove and recreate it.
    setEnabled: isEnabled => isEnabled ? upsertHourly(queue, schedulerId) : queue.removeJobScheduler(schedulerId),
    async runSchedule() {
      const scheduler = await queue.getJobScheduler(schedulerId)
      return scheduler ? (await queue.add(scheduler.name, {}, { jobId: `run-${++runs}` })).id! : null
    }
  }
}

/** Upserts the same scheduler from either version. BullMQ refuses this while the next slot is taken, which is ignored. */
export function upsertHourly(queue: ReturnType<typeof openQueue>, schedulerId: string): Promise<unknown> {
  return queue.upsertJobScheduler(schedulerId, { every: HOUR_MS }, { name: 'report' }).catch((error: unknown) => {
    if (!/slots/i.test(String(error))) throw error
  })
}
