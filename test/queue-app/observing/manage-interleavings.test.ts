import { Redis } from 'ioredis'
import t from 'tap'
import { createManagedQueues, type ManagedQueues } from '../../../lib/engine/observing/managing/manage-queues.ts'
import type { ObservedQueue } from '../../../lib/engine/observing/observed-queue.ts'
import { connectionOf, openQueue, OWNERS, type Major } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, type TestScope } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'

// The long form takes the 10,000 of which docs/existing-queues.md tells.
const RUNS = isSoak ? 10_000 : 150
const STEPS = 14
const WHAT = [
  'add', 'add', 'add', 'take', 'take', 'pause', 'resume', 'we pause', 'we resume', 'we retry', 'we retry', 'we cancel'
] as const
const NAME = 'emails'
const TOKEN = 'token'
const VERSIONS = { 5: 'bullmq:5.81.5', 6: 'bullmq:6.7.0' } as const

interface Owner {
  readonly major: Major
  readonly queue: ReturnType<typeof openQueue>
  /** Takes one job and ends it; its id, or null if there was none to take. */
  take(isFailing: boolean): Promise<string | null>
}

type Us = Pick<ManagedQueues, 'retry' | 'remove' | 'pause' | 'resume'>
interface Setting { readonly redis: Redis; readonly owners: Readonly<Record<Major, Owner>>; readonly managed: Us }

/** What should have become of each job so far. */
type Expected = Map<string, 'waiting' | 'done' | 'failed' | 'removed'>
interface Result { readonly lost: number; readonly doubled: number; readonly steps: readonly string[] }

t.test('whatever an owner of one version and this package do in turn, no job is lost or runs twice', async t => {
  const setting = await setUp(t)
  for (const major of [5, 6] as const) {
    let taken = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      const { lost, doubled, steps } = await play(setting, { seed, majors: [major], us: setting.managed })
      if (lost + doubled > 0) t.fail(`version ${major}, seed ${seed}: ${lost} lost, ${doubled} doubled after ${steps.join(', ')}`)
      taken += steps.filter(step => step.startsWith('we')).length
    }
    t.ok(taken > RUNS * 2, `version ${major}: ${RUNS} interleavings with ${taken} steps of this package`)
  }
})

t.test('owners of both versions lose jobs to each other, and this package adds nothing to that', async t => {
  const setting = await setUp(t)
  const lost = { ours: 0, nobody: 0, plain: 0 }
  let doubled = 0
  for (let seed = 1; seed <= RUNS; seed++) {
    const majors = [5, 6] as const
    const ours = await play(setting, { seed, majors, us: setting.managed })
    doubled += ours.doubled
    lost.ours += ours.lost
    lost.nobody += (await play(setting, { seed, majors, us: null })).lost
    lost.plain += (await play(setting, { seed, majors, us: plainBullmq(setting) })).lost
  }
  t.equal(doubled, 0)
  t.comment(`of ${RUNS} interleavings, lost: ${JSON.stringify(lost)}`)
  t.ok(lost.ours <= lost.nobody, `${lost.ours} with this package, ${lost.nobody} without`)
  t.ok(lost.ours <= lost.plain, `${lost.plain} with BullMQ 6 in its place`)
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
  const client = {
    start: async () => {}, stop: async () => {},
    run: <Answer>(script: string, keys: readonly string[], ...values: ReadonlyArray<string | number>) =>
      redis.eval(script, keys.length, ...keys, ...values) as Promise<Answer>
  }
  return { redis, owners: { 5: await owner(5), 6: await owner(6) }, managed: createManagedQueues(() => client) }
}

const QUEUE: ObservedQueue = { taskName: NAME, name: NAME, prefix: 'bull', server: undefined as never }

/** What an observer would do that knows nothing but BullMQ 6. */
function plainBullmq({ owners: { 6: { queue } } }: Setting): Us {
  return {
    async retry(_queue, jobId) {
      const job = await queue.getJob(jobId)
      return await job?.retry('failed').then(() => 'retried' as const, () => 'moved' as const) ?? 'gone'
    },
    async remove(_queue, jobId) {
      return await (await queue.getJob(jobId))?.remove().then(() => 'removed' as const, () => 'over' as const) ?? 'over'
    },
    pause: () => queue.pause(),
    resume: () => queue.resume()
  }
}

/** The same steps for the same seed, whoever `us` is. */
async function play(
  { redis, owners }: Setting, { seed, majors, us }: { seed: number; majors: readonly Major[]; us: Us | null }
): Promise<Result> {
  const random = randomFrom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const jobs: Expected = new Map()
  const steps: string[] = []
  let doubled = 0
  let added = 0
  await redis.flushdb()
  await redis.hset(`bull:${NAME}:meta`, { 'version': VERSIONS[pick(majors)], 'opts.maxLenEvents': 10_000 })

  const take = async (owner: Owner, isFailing: boolean): Promise<boolean> => {
    const id = await owner.take(isFailing)
    if (id === null) return false
    if (jobs.get(id) !== 'waiting') doubled++
    jobs.set(id, isFailing ? 'failed' : 'done')
    return true
  }
  for (let step = 0; step < STEPS; step++) {
    const owner = owners[pick(majors)]
    const what = pick(WHAT)
    const [isFailing, id, isUrgent] = [random() < 0.7, pick([...jobs.keys(), '1']), random() < 0.2]
    steps.push(what.startsWith('we') ? `${what} ${id}` : `${owner.major} ${what}`)
    if (what === 'add') {
      const jobId = `job-${++added}`
      await owner.queue.add('send', {}, { jobId, ...isUrgent && { priority: 3 } })
      jobs.set(jobId, 'waiting')
    } else if (what === 'take') await take(owner, isFailing)
    else if (what === 'pause') await owner.queue.pause()
    else if (what === 'resume') await owner.queue.resume()
    else if (us === null) continue
    else if (what === 'we pause') await us.pause(QUEUE)
    else if (what === 'we resume') await us.resume(QUEUE)
    else if (what === 'we retry') {
      const finishedOn = Number(await redis.hget(`bull:${NAME}:${id}`, 'finishedOn'))
      if (await us.retry(QUEUE, id, finishedOn) === 'retried') jobs.set(id, 'waiting')
    } else if (await us.remove(QUEUE, id) === 'removed') jobs.set(id, 'removed')
  }
  // An owner resumes, and all that should run does.
  const last = owners[pick(majors)]
  await last.queue.resume()
  while (await take(last, false)) { /* The next one. */ }
  return { lost: [...jobs.values()].filter(state => state === 'waiting').length, doubled, steps }
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 4_294_967_296
  }
}
