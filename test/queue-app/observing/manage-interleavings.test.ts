import { Redis } from 'ioredis'
import t from 'tap'
import type { SeenQueue } from '../../../lib/engine/observing/discovery.ts'
import { createManagedRedis } from '../../../lib/engine/observing/managing/manage-redis.ts'
import { createObservedRedis } from '../../../lib/engine/observing/redis/redis-server.ts'
import { SCHEDULERS } from '../../../lib/engine/observing/schedulers/schedulers-of-servers.ts'
import { createManagedSchedules } from '../../../lib/queue-app/observing/schedules/managed-schedules.ts'
import { createObservedSchedules } from '../../../lib/queue-app/observing/schedules/observed-schedules.ts'
import { createScheduleBooks } from '../../../lib/queue-app/observing/schedules/schedule-book.ts'
import type { ReadClient } from '../../../lib/stores/redis/observing/read-client.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { connectionOf, openQueue, OWNERS, type Major } from '../../support/programs/owners-of-queues.ts'
import { readOneByOne } from '../../support/read-one-by-one.ts'
import { redisUrl, type TestScope } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { seededRandom } from '../../support/seeded-random.ts'

// The soak makes the 10,000 runs that docs/existing-queues.md mentions.
const RUNS = isSoak ? 10_000 : 240
const STEPS = 14
const WHAT = [
  'add', 'add', 'add', 'take', 'take', 'take', 'pause', 'resume', 'upsert', 'we pause', 'we resume', 'we retry', 'we retry', 'we cancel',
  'we run', 'we run later', 'we prioritize', 'we prioritize', 'we disable', 'we enable', 'we run the schedule'
] as const
type What = (typeof WHAT)[number]
/** Who owns the queue: one version, or both at once. */
const OWNERSHIPS = [[5], [6], [5, 6]] as const
const NAME = 'emails'
const ID = 'report'
const SCHEDULE = `${NAME}:${ID}`
const TOKEN = 'token'
const HOUR_MS = 3_600_000
const VERSIONS = { 5: 'bullmq:5.81.5', 6: 'bullmq:6.7.0' } as const

interface Owner {
  readonly major: Major
  readonly queue: ReturnType<typeof openQueue>
  /** Takes one job and finishes it. Returns its id, or null if there was none to take. */
  take(isFailing: boolean): Promise<string | null>
}

/** The changes of somebody who manages the queue. Some return whether the change was made. */
interface Us {
  pause(): Promise<unknown>
  resume(): Promise<unknown>
  retry(jobId: string, finishedOn: number): Promise<boolean>
  remove(jobId: string): Promise<boolean>
  add(jobId: string, delayMs: number, priority: number): Promise<unknown>
  prioritize(jobId: string, priority: number): Promise<unknown>
  setEnabled(isEnabled: boolean): Promise<unknown>
  /** @returns the id of the job, null if there is no schedule */
  runSchedule(): Promise<string | null>
}

interface Setting { readonly redis: Redis; readonly owners: Readonly<Record<Major, Owner>>; ours(): Us; readonly plain: Us }
/** `lost`: lost jobs of owners; `lostOurs`: lost jobs that were added or retried from here. */
interface Result { readonly lost: number; readonly lostOurs: number; readonly doubled: number; readonly steps: readonly string[] }

t.setTimeout(3_600_000)

t.test('in any sequence of steps by owners of both versions and this package, this package loses and doubles no job', async t => {
  const setting = await setUp(t)
  const lost = { ours: 0, nobody: 0, plain: 0 }
  const lostOurs = { ours: 0, plain: 0 }
  const plainDamage = { 5: 0, 6: 0, '5,6': 0 } as Record<string, number>
  let doubled = 0
  let ourSteps = 0
  for (let seed = 1; seed <= RUNS; seed++) {
    const majors = OWNERSHIPS[seed % OWNERSHIPS.length]!
    const ours = await play(setting, { seed, majors, us: setting.ours() })
    ourSteps += ours.steps.filter(step => step.startsWith('we')).length
    doubled += ours.doubled
    const plain = await play(setting, { seed, majors, us: setting.plain })
    if (plain.lost + plain.lostOurs + plain.doubled > 0) plainDamage[majors.join()]!++
    if (majors.length === 1) {
      const oursLost = ours.lost + ours.lostOurs
      if (oursLost + ours.doubled > 0)
        t.fail(`version ${majors[0]}, seed ${seed}: ${oursLost} lost, ${ours.doubled} doubled after ${ours.steps.join(', ')}`)
      continue
    }
    // Owners of two versions make each other lose jobs: the resume of version 5 discards what version 6 has put into its list. Every pause
    // of such a queue is another occasion, so this package is compared with BullMQ 6 making the same changes.
    lostOurs.ours += ours.lostOurs
    lostOurs.plain += plain.lostOurs
    lost.ours += ours.lost
    lost.plain += plain.lost
    lost.nobody += (await play(setting, { seed, majors, us: null })).lost
  }
  t.comment(`${RUNS} interleavings with ${ourSteps} steps of this package; with owners of both versions, lost: ${JSON.stringify(lost)}, ` +
    `and of what was added or retried from here: ${JSON.stringify(lostOurs)}`)
  t.comment(`with BullMQ 6 in its place, interleavings with lost or doubled jobs: ${JSON.stringify(plainDamage)}`)
  t.equal(doubled, 0)
  t.ok(lost.ours <= lost.plain, `${lost.ours} with this package, ${lost.plain} with BullMQ 6 in its place, ${lost.nobody} with neither`)
  t.ok(lostOurs.ours <= lostOurs.plain, `of those from here, ${lostOurs.ours} with this package, ${lostOurs.plain} with BullMQ 6`)
})

async function setUp(t: TestScope): Promise<Setting> {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const owner = async (major: Major): Promise<Owner> => {
    const queue = openQueue(t, major, NAME, url)
    await queue.waitUntilReady()
    const worker = new OWNERS[major].Worker(NAME, null, { connection: connectionOf(url) })
    worker.on('error', () => {})
    t.teardown(() => worker.close())
    await worker.waitUntilReady()
    return {
      major, queue,
      async take(isFailing) {
        const job = await worker.getNextJob(TOKEN, { block: false })
        if (job === undefined || job === null) return null
        if (isFailing) await job.moveToFailed(new Error('no'), TOKEN, false)
        else await job.moveToCompleted('yes', TOKEN, false)
        return job.id!
      }
    }
  }
  const owners = { 5: await owner(5), 6: await owner(6) }
  return { redis, owners, ours: () => thisPackage(redis), plain: plainBullmq(owners[6].queue) }
}

/** Without the deadlines that clients for existing queues have, because many seconds may pass here. */
function thisPackage(redis: Redis): Us {
  const read = (command: string, ...values: ReadonlyArray<string | number>): Promise<unknown> =>
    redis.call(command.toLowerCase(), ...values.map(String))
  const client = { identity: 'redis', now: async () => Date.now(), read, readAll: readOneByOne(read) } as unknown as ReadClient
  const queue: SeenQueue =
    { taskName: NAME, name: NAME, prefix: 'bull', server: createObservedRedis(client), firstSeenAt: 0, lastSeenAt: 0 }
  const managed = createManagedRedis(() => ({
    start: async () => {}, stop: async () => {},
    run: <Answer>(script: string, keys: readonly string[], ...values: ReadonlyArray<string | number>) =>
      redis.eval(script, keys.length, ...keys, ...values) as Promise<Answer>
  }))
  const discovery = { queues: () => [queue], queueOf: () => queue }
  const books = createScheduleBooks(createMemoryDocuments())
  const reads = createObservedSchedules({
    discovery, books, reads: SCHEDULERS, names: { taskOf: name => name, tasksOf: () => [] }, patienceMs: 15_000, manages: () => true,
    problem: () => null
  })
  const schedules = createManagedSchedules({ managed, discovery, books, schedulers: SCHEDULERS, reads })
  const ifThere = async <Answer>(work: () => Promise<Answer>): Promise<Answer | null> => {
    reads.forget()
    return work().catch((error: unknown) => {
      if (/SCHEDULE_NOT_FOUND|CONFLICT/.test(String((error as { code?: unknown }).code))) return null
      throw error
    })
  }
  return {
    pause: () => managed.pause(queue),
    resume: () => managed.resume(queue),
    retry: async (jobId, finishedOn) => await managed.retry(queue, jobId, finishedOn) === 'retried',
    remove: async jobId => await managed.remove(queue, jobId) === 'removed',
    add: (jobId, delayMs, priority) => managed.add(queue, { jobId, name: 'send', data: '{}', now: Date.now(), delayMs, priority }),
    prioritize: (jobId, priority) => managed.changePriority(queue, jobId, priority),
    setEnabled: isEnabled => ifThere(() => schedules.setEnabled(SCHEDULE, isEnabled)),
    runSchedule: async () => (await ifThere(() => schedules.runNow(SCHEDULE)))?.slice(NAME.length + 1) ?? null
  }
}

/** The same changes made with BullMQ 6 alone. */
function plainBullmq(queue: Owner['queue']): Us {
  let runs = 0
  return {
    pause: () => queue.pause(),
    resume: () => queue.resume(),
    retry: async jobId => await (await queue.getJob(jobId))?.retry('failed').then(() => true, () => false) ?? false,
    remove: async jobId => await (await queue.getJob(jobId))?.remove().then(() => true, () => false) ?? false,
    add: (jobId, delay, priority) => queue.add('send', {}, { jobId, delay, priority }),
    prioritize: async (jobId, priority) => (await queue.getJob(jobId))?.changePriority({ priority }),
    // BullMQ cannot disable a scheduler, only remove and recreate it.
    setEnabled: isEnabled => isEnabled ? upsert(queue) : queue.removeJobScheduler(ID),
    async runSchedule() {
      const scheduler = await queue.getJobScheduler(ID)
      return scheduler ? (await queue.add(scheduler.name, {}, { jobId: `run-${++runs}` })).id! : null
    }
  }
}

/** Upserts the same scheduler from either version. BullMQ refuses this while the next slot is taken, which is ignored. */
function upsert(queue: Owner['queue']): Promise<unknown> {
  return queue.upsertJobScheduler(ID, { every: HOUR_MS }, { name: 'report' }).catch((error: unknown) => {
    if (!/slots/i.test(String(error))) throw error
  })
}

/** Makes the same steps for the same seed, whoever `us` is. */
async function play(
  { redis, owners }: Setting, { seed, majors, us }: { seed: number; majors: readonly Major[]; us: Us | null }
): Promise<Result> {
  const random = seededRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  /** The expected state of each job so far. */
  const jobs = new Map<string, 'waiting' | 'later' | 'done' | 'failed' | 'removed'>()
  const fromHere = new Set<string>()
  const steps: string[] = []
  let doubled = 0
  let added = 0
  await redis.flushdb()
  await redis.hset(`bull:${NAME}:meta`, { 'version': VERSIONS[pick(majors)], 'opts.maxLenEvents': 10_000 })

  const take = async (owner: Owner, isFailing: boolean): Promise<boolean> => {
    const id = await owner.take(isFailing)
    if (id === null) return false
    // A run of the scheduler is added by whichever version takes the previous run.
    if (jobs.get(id) !== 'waiting' && !(id.startsWith('repeat:') && !jobs.has(id))) doubled++
    jobs.set(id, isFailing ? 'failed' : 'done')
    return true
  }
  const does = async (what: What, us: Us, id: string, priority: number): Promise<void> => {
    if (what === 'we pause') await us.pause()
    else if (what === 'we resume') await us.resume()
    else if (what === 'we disable' || what === 'we enable') await us.setEnabled(what === 'we enable')
    else if (what === 'we prioritize') await us.prioritize(id, priority)
    else if (what === 'we cancel') {
      if (await us.remove(id)) jobs.set(id, 'removed')
    } else if (what === 'we retry') {
      const finishedOn = Number(await redis.hget(`bull:${NAME}:${id}`, 'finishedOn'))
      if (await us.retry(id, finishedOn)) {
        jobs.set(id, 'waiting')
        fromHere.add(id)
      }
    } else if (what === 'we run the schedule') {
      const run = await us.runSchedule()
      if (run !== null) {
        jobs.set(run, 'waiting')
        fromHere.add(run)
      }
    } else {
      const isLater = what === 'we run later'
      const jobId = `ours-${++added}`
      await us.add(jobId, isLater ? HOUR_MS : 0, priority)
      jobs.set(jobId, isLater ? 'later' : 'waiting')
      fromHere.add(jobId)
    }
  }
  for (let step = 0; step < STEPS; step++) {
    const owner = owners[pick(majors)]
    const what = pick(WHAT)
    const [isFailing, id, isUrgent, priority] = [random() < 0.7, pick([...jobs.keys(), '1']), random() < 0.2, pick([0, 0, 2, 5])]
    steps.push(what.startsWith('we') ? `${what} ${id}` : `${owner.major} ${what}`)
    if (what === 'add') {
      const jobId = `job-${++added}`
      await owner.queue.add('send', {}, { jobId, ...isUrgent && { priority: 3 } })
      jobs.set(jobId, 'waiting')
    } else if (what === 'take') await take(owner, isFailing)
    else if (what === 'pause') await owner.queue.pause()
    else if (what === 'resume') await owner.queue.resume()
    else if (what === 'upsert') await upsert(owner.queue)
    else if (us !== null) await does(what, us, id, priority)
  }
  // Finally an owner resumes the queue, and everything that is left to run runs.
  const last = owners[pick(majors)]
  await last.queue.resume()
  while (await take(last, false)) { /* Take the next one. */ }
  const lost = await lostOf(redis, jobs)
  const lostOurs = lost.filter(id => fromHere.has(id)).length
  return { lost: lost.length - lostOurs, lostOurs, doubled, steps }
}

/** Jobs that neither ran nor still exist, and a scheduler without its next run. */
async function lostOf(redis: Redis, jobs: ReadonlyMap<string, string>): Promise<string[]> {
  const planned = await redis.zscore(`bull:${NAME}:repeat`, ID)
  const delayed = new Set(await redis.zrange(`bull:${NAME}:delayed`, '0', '-1'))
  const next = `repeat:${ID}:${planned}`
  return [
    ...[...jobs].filter(([id, state]) => state === 'waiting' || state === 'later' && !delayed.has(id)).map(([id]) => id),
    ...planned === null || delayed.has(next) || jobs.has(next) ? [] : [next]
  ]
}
