import { Redis } from 'ioredis'
import t from 'tap'
import { createManagedRedis } from '../../../../lib/engine/observing/managing/manage-redis.ts'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import { SCHEDULERS } from '../../../../lib/engine/observing/schedulers/schedulers-of-servers.ts'
import { createManagedSchedules } from '../../../../lib/queue-app/observing/schedules/managed-schedules.ts'
import { createObservedSchedules } from '../../../../lib/queue-app/observing/schedules/observed-schedules.ts'
import { createScheduleBooks } from '../../../../lib/queue-app/observing/schedules/schedule-book.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { connectionOf, openQueue, OWNERS, type Major } from '../../../support/programs/owners-of-queues.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'
import { redisUrl, type TestScope } from '../../../support/servers/stores.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { isSoak } from '../../../support/soak.ts'

// The soak makes the 10,000 runs that docs/existing-queues.md mentions.
const RUNS = isSoak ? 10_000 : 60
const STEPS = 14
const WHAT = [
  'upsert', 'upsert', 'upsert another', 'remove', 'take', 'take', 'take', 'pause', 'resume', 'we disable', 'we enable', 'we edit', 'we run'
] as const
const NAME = 'emails'
const ID = 'report'
const TOKEN = 'token'

t.test('in any sequence of steps by an owner and this package, a scheduler has one next run, and no run is lost', async t => {
  const setting = await setUp(t)
  for (const majors of [[5], [6]] as const) {
    let ours = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      const { problem, steps } = await play(setting, majors, seed)
      if (problem !== null) return t.fail(`versions ${majors.join(', ')}, seed ${seed}: ${problem} after ${steps.join(', ')}`)
      ours += steps.filter(step => step.startsWith('we')).length
    }
    t.ok(ours > RUNS, `versions ${majors.join(', ')}: ${RUNS} interleavings with ${ours} steps of this package`)
  }
})

t.test('with owners of both versions, a scheduler has one next run as long as only version 6 pauses and resumes', async t => {
  const setting = await setUp(t, '65')
  for (let seed = 1; seed <= RUNS; seed++) {
    const { problem, steps } = await play(setting, [5, 6], seed, { pausedBy: [6] })
    if (problem !== null) return t.fail(`seed ${seed}: ${problem} after ${steps.join(', ')}`)
  }
  t.pass(`${RUNS} interleavings`)
})

t.test('whatever owners of both versions make each other lose, no run that was added from here is lost', async t => {
  const setting = await setUp(t, '65')
  let added = 0
  for (let seed = 1; seed <= RUNS; seed++) {
    const { lost, steps, ...run } = await play(setting, [5, 6], seed, { goesOn: true })
    if (lost.length > 0) return t.fail(`seed ${seed}: lost ${lost.join(', ')} after ${steps.join(', ')}`)
    added += run.added
  }
  t.ok(added > RUNS / 4, `${RUNS} interleavings with ${added} runs from here`)
})

/** @param versions which versions were seen to open the queue */
async function setUp(t: TestScope, versions = '') {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const owner = async (major: Major) => {
    const queue = openQueue(t, major, NAME, url)
    const worker = new OWNERS[major].Worker(NAME, null, { connection: connectionOf(url) })
    worker.on('error', () => {})
    t.teardown(() => worker.close())
    await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])
    return { queue, worker }
  }
  // Without the deadlines that the client for existing queues has, because many seconds may pass here.
  const read = (command: string, ...values: ReadonlyArray<string | number>): Promise<unknown> =>
    redis.call(command.toLowerCase(), ...values.map(String))
  const client = { identity: 'redis', now: async () => Date.now(), read, readAll: readOneByOne(read) } as unknown as ReadClient
  const server = createObservedRedis(client)
  const queue: SeenQueue = { taskName: NAME, name: NAME, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  const managed = createManagedRedis(() => ({
    start: async () => {}, stop: async () => {},
    run: <Answer>(script: string, keys: readonly string[], ...values: ReadonlyArray<string | number>) =>
      redis.eval(script, keys.length, ...keys, ...values) as Promise<Answer>
  }), () => versions)
  return { redis, owners: { 5: await owner(5), 6: await owner(6) }, queue, managed }
}

type Setting = Awaited<ReturnType<typeof setUp>>

/** @param goesOn whether the steps continue after a scheduler has lost its next run; `problem` is then null */
async function play(
  { redis, owners, queue, managed }: Setting, majors: readonly Major[], seed: number,
  { pausedBy = majors, goesOn = false }: { pausedBy?: readonly Major[]; goesOn?: boolean } = {}
) {
  await redis.flushdb()
  await redis.hset(`bull:${NAME}:meta`, { 'version': majors.includes(6) ? 'bullmq:6.7.0' : 'bullmq:5.81.5', 'opts.maxLenEvents': 10_000 })
  const discovery = { queues: () => [queue], queueOf: () => queue }
  const books = createScheduleBooks(createMemoryDocuments())
  const reads = createObservedSchedules({
    discovery, books, reads: SCHEDULERS, names: { taskOf: name => name, tasksOf: () => [] }, patienceMs: 15_000, manages: () => true,
    problem: () => null
  })
  const ours = createManagedSchedules({ managed, discovery, books, schedulers: SCHEDULERS, reads })
  const random = seededRandom(seed)
  const steps: string[] = []
  const added = new Set<string>()
  const done = new Set<string>()

  for (let index = 0; index < STEPS; index++) {
    const what = WHAT[Math.floor(random() * WHAT.length)]!
    const major = majors[Math.floor(random() * majors.length)]!
    const isPause = what === 'pause' || what === 'resume'
    const owner = owners[isPause && !pausedBy.includes(major) ? pausedBy[0]! : major]
    steps.push(what)
    // A person sees data that is at most a second old. Here it is always current.
    reads.forget()
    try {
      if (what === 'upsert') await owner.queue.upsertJobScheduler(ID, { every: 60_000 }, { name: 'x', data: { to: 'ada' } })
      else if (what === 'upsert another') await owner.queue.upsertJobScheduler(ID, { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'x' })
      else if (what === 'remove') await owner.queue.removeJobScheduler(ID)
      else if (what === 'pause') await owner.queue.pause()
      else if (what === 'resume') await owner.queue.resume()
      else if (what === 'we disable') await ours.setEnabled(`${NAME}:${ID}`, false)
      else if (what === 'we enable') await ours.setEnabled(`${NAME}:${ID}`, true)
      else if (what === 'we run') added.add(await ours.runNow(`${NAME}:${ID}`))
      else if (what === 'we edit') await edit(ours, reads)
      else {
        const job = await owner.worker.getNextJob(TOKEN, { block: false })
        if (job) {
          await job.moveToCompleted('yes', TOKEN, false)
          done.add(`${NAME}:${job.id!}`)
        }
      }
    } catch (error) {
      if (!/SCHEDULE_NOT_FOUND|CONFLICT/.test(String((error as { code?: unknown }).code)) && !/slots/i.test(String(error))) throw error
    }
    const lost = await lostOf(redis, added, done)
    const problem = lost.length > 0 ? `lost ${lost.join(', ')}` : goesOn ? null : await problemOf(redis)
    if (problem !== null) return { problem, lost, steps, added: added.size }
  }
  return { problem: null, lost: [], steps, added: added.size }
}

async function edit(ours: ReturnType<typeof createManagedSchedules>, reads: ReturnType<typeof createObservedSchedules>): Promise<void> {
  const known = await reads.get(`${NAME}:${ID}`)
  if (known !== null) await ours.update(known.scheduleId, known.cron === null ? { intervalMs: 30_000 } : { cron: '0 4 * * *' })
}

const key = (kind: string) => `bull:${NAME}:${kind}`

async function pendingOf(redis: Redis): Promise<string[]> {
  return (await Promise.all([
    redis.lrange(key('wait'), 0, -1), redis.lrange(key('paused'), 0, -1), redis.zrange(key('prioritized'), '0', '-1'),
    redis.zrange(key('delayed'), '0', '-1')
  ])).flat()
}

/** Added jobs that neither wait nor are done. */
async function lostOf(redis: Redis, added: ReadonlySet<string>, done: ReadonlySet<string>): Promise<string[]> {
  const pending = await pendingOf(redis)
  return [...added].filter(id => !done.has(id) && !pending.includes(id.slice(NAME.length + 1)))
}

/** Checks that each scheduler has its next run in one place. */
async function problemOf(redis: Redis): Promise<string | null> {
  const [score, pending] = await Promise.all([redis.zscore(key('repeat'), ID), pendingOf(redis)])
  const planned = pending.filter(id => id.startsWith('repeat:'))
  if (score !== null && planned.filter(id => id === `repeat:${ID}:${score}`).length !== 1)
    return `${planned.length} planned runs (${planned.join(' ')}), and the scheduler waits for ${score}`
  const gone = [...await Promise.all(planned.map(id => redis.exists(key(id))))].filter(exists => exists === 0)
  return gone.length > 0 ? 'a planned run without its job' : null
}
