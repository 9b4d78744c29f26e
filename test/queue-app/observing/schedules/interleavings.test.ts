import { createPostgresBackend, type Queue, type Worker } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { createManagedPostgres, MANAGING_STATEMENTS } from '../../../../lib/engine/observing/managing/manage-postgres.ts'
import type { ManagedQueues } from '../../../../lib/engine/observing/managing/manage-queues.ts'
import { createManagedRedis } from '../../../../lib/engine/observing/managing/manage-redis.ts'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import { createObservedPostgres } from '../../../../lib/engine/observing/postgres/postgres-server.ts'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import { SCHEDULERS } from '../../../../lib/engine/observing/schedulers/schedulers-of-servers.ts'
import { createManagedSchedules } from '../../../../lib/queue-app/observing/schedules/managed-schedules.ts'
import { createObservedSchedules } from '../../../../lib/queue-app/observing/schedules/observed-schedules.ts'
import { createScheduleBooks } from '../../../../lib/queue-app/observing/schedules/schedule-book.ts'
import { createChangeDatabase } from '../../../../lib/stores/postgres/observing/change-database.ts'
import { createReadDatabase } from '../../../../lib/stores/postgres/observing/read-database.ts'
import type { PostgresSource } from '../../../../lib/stores/postgres/source/postgres-source.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { parseStoreSource } from '../../../../lib/stores/source/parse-store-source.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { connectionOf, openQueue, OWNERS, untilStored, type Major } from '../../../support/programs/owners-of-queues.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'
import { postgresUrl, redisUrl, type TestScope } from '../../../support/servers/stores.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { isSoak } from '../../../support/soak.ts'

// The soak makes the 10,000 runs that docs/existing-queues.md mentions.
const RUNS = isSoak ? 10_000 : 60
/** Each takes longer there. */
const RUNS_ON_POSTGRES = Math.max(RUNS / 10, 20)
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

t.test('the same holds on PostgreSQL', async t => {
  const setting = await setUpPostgres(t)
  let ours = 0
  for (let seed = 1; seed <= RUNS_ON_POSTGRES; seed++) {
    const { problem, steps } = await play(setting, [6], seed)
    if (problem !== null) return t.fail(`seed ${seed}: ${problem} after ${steps.join(', ')}`)
    ours += steps.filter(step => step.startsWith('we')).length
  }
  t.ok(ours > RUNS_ON_POSTGRES, `${RUNS_ON_POSTGRES} interleavings with ${ours} steps of this package`)
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

interface Setting {
  readonly owners: { readonly [Version in Major]: { readonly queue: Queue; readonly worker: Worker } }
  readonly queue: SeenQueue
  readonly managed: ManagedQueues
  /** Empties the queue, and sets which version opened it last. */
  clear(majors: readonly Major[]): Promise<unknown>
  /** Ids of the jobs that wait. */
  pending(): Promise<string[]>
  /** For when the next run of the scheduler is planned; null if it is gone. */
  plannedAt(): Promise<string | null>
  hasJob(id: string): Promise<boolean>
}

/** @param versions which versions were seen to open the queue */
async function setUp(t: TestScope, versions = ''): Promise<Setting> {
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
  const managed = createManagedRedis(() => ({
    start: async () => {}, stop: async () => {},
    run: <Answer>(script: string, keys: readonly string[], ...values: ReadonlyArray<string | number>) =>
      redis.eval(script, keys.length, ...keys, ...values) as Promise<Answer>
  }), () => versions)
  return {
    owners: { 5: await owner(5), 6: await owner(6) }, managed,
    queue: { taskName: NAME, name: NAME, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 },
    async clear(majors) {
      await redis.flushdb()
      await redis.hset(`bull:${NAME}:meta`, {
        'version': majors.includes(6) ? 'bullmq:6.7.0' : 'bullmq:5.81.5', 'opts.maxLenEvents': 10_000
      })
    },
    async pending() {
      return (await Promise.all([
        redis.lrange(key('wait'), 0, -1), redis.lrange(key('paused'), 0, -1), redis.zrange(key('prioritized'), '0', '-1'),
        redis.zrange(key('delayed'), '0', '-1')
      ])).flat()
    },
    plannedAt: () => redis.zscore(key('repeat'), ID),
    hasJob: async id => await redis.exists(key(id)) === 1
  }
}

async function setUpPostgres(t: TestScope): Promise<Setting> {
  const url = await postgresUrl(t)
  const queue = openQueue(t, 6, NAME, url)
  await untilStored(queue)
  const worker = new OWNERS[6].Worker(NAME, null, { connection: { connectionString: url } }, createPostgresBackend as never)
  worker.on('error', () => {})
  t.teardown(() => worker.close())
  const source = parseStoreSource(url, 'broker') as PostgresSource
  const [database, changes] = [createReadDatabase(source, () => {}), createChangeDatabase(source, MANAGING_STATEMENTS, () => {})]
  const sql = new pg.Client(url)
  await Promise.all([database.start(), changes.start(), sql.connect()])
  t.teardown(() => Promise.all([database.stop(), changes.stop(), sql.end()]))
  const idsOf = async (text: string, values: readonly string[] = []): Promise<string[]> =>
    (await sql.query<{ id: string }>(text, [...values])).rows.map(({ id }) => id)
  const owner = { queue, worker }
  return {
    owners: { 5: owner, 6: owner }, managed: createManagedPostgres(() => changes),
    queue: { taskName: NAME, name: NAME, prefix: 'bullmq', server: createObservedPostgres(database), firstSeenAt: 0, lastSeenAt: 0 },
    clear: () => sql.query(`DELETE FROM bullmq.job; DELETE FROM bullmq.scheduler; DELETE FROM bullmq.event;
      DELETE FROM bullmq.meta WHERE field = 'paused'`),
    pending: () => idsOf(`SELECT id FROM bullmq.job WHERE state IN ('waiting', 'delayed')`),
    plannedAt: async () => (await idsOf('SELECT next_run_ms AS id FROM bullmq.scheduler'))[0] ?? null,
    hasJob: async id => (await idsOf('SELECT id FROM bullmq.job WHERE id = $1', [id])).length === 1
  }
}

/** @param goesOn whether the steps continue after a scheduler has lost its next run; `problem` is then null */
async function play(
  { owners, queue, managed, ...store }: Setting, majors: readonly Major[], seed: number,
  { pausedBy = majors, goesOn = false }: { pausedBy?: readonly Major[]; goesOn?: boolean } = {}
) {
  await store.clear(majors)
  const discovery = { queues: () => [queue], queueOf: () => queue }
  const books = createScheduleBooks(createMemoryDocuments())
  const reads = createObservedSchedules({
    discovery, books, reads: SCHEDULERS, names: { taskOf: name => name, tasksOf: () => [] }, patienceMs: 15_000, manages: true,
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
    const lost = await lostOf(store, added, done)
    const problem = lost.length > 0 ? `lost ${lost.join(', ')}` : goesOn ? null : await problemOf(store)
    if (problem !== null) return { problem, lost, steps, added: added.size }
  }
  return { problem: null, lost: [], steps, added: added.size }
}

async function edit(ours: ReturnType<typeof createManagedSchedules>, reads: ReturnType<typeof createObservedSchedules>): Promise<void> {
  const known = await reads.get(`${NAME}:${ID}`)
  if (known !== null) await ours.update(known.scheduleId, known.cron === null ? { intervalMs: 30_000 } : { cron: '0 4 * * *' })
}

const key = (kind: string) => `bull:${NAME}:${kind}`

type Stored = Pick<Setting, 'pending' | 'plannedAt' | 'hasJob'>

/** Added jobs that neither wait nor are done. */
async function lostOf(store: Stored, added: ReadonlySet<string>, done: ReadonlySet<string>): Promise<string[]> {
  const pending = await store.pending()
  return [...added].filter(id => !done.has(id) && !pending.includes(id.slice(NAME.length + 1)))
}

/** Checks that each scheduler has its next run in one place. */
async function problemOf(store: Stored): Promise<string | null> {
  const [at, pending] = await Promise.all([store.plannedAt(), store.pending()])
  const planned = pending.filter(id => id.startsWith('repeat:'))
  if (at !== null && planned.filter(id => id === `repeat:${ID}:${at}`).length !== 1)
    return `${planned.length} planned runs (${planned.join(' ')}), and the scheduler waits for ${at}`
  const gone = [...await Promise.all(planned.map(id => store.hasJob(id)))].filter(exists => !exists)
  return gone.length > 0 ? 'a planned run without its job' : null
}
