import { Redis } from 'ioredis'
import t from 'tap'
import { managerOfBullmq, managerOfPackage, upsertHourly, type Manager } from '../../support/programs/managers-of-queues.ts'
import { connectionOf, openQueue, OWNERS, type Major } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, type TestScope } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { seededRandom } from '../../support/seeded-random.ts'

// The soak makes the 10,000 runs with both versions that docs/existing-queues.md mentions.
const RUNS = isSoak ? 10_000 : 110
const STEPS = 14
const WHAT = [
  'add', 'add', 'add', 'take', 'take', 'take', 'pause', 'resume', 'upsert', 'we pause', 'we resume', 'we retry', 'we retry', 'we cancel',
  'we run', 'we run later', 'we prioritize', 'we prioritize', 'we disable', 'we enable', 'we run the schedule'
] as const
type What = (typeof WHAT)[number]
const NAMES = { queue: 'emails', scheduler: 'report' }
const { queue: NAME, scheduler: ID } = NAMES
const TOKEN = 'token'
const HOUR_MS = 3_600_000
const VERSIONS = { 5: 'bullmq:5.81.5', 6: 'bullmq:6.7.0' } as const

interface Owner {
  readonly major: Major
  readonly queue: ReturnType<typeof openQueue>
  /** Takes one job and finishes it. Returns its id, or null if there was none to take. */
  take(isFailing: boolean): Promise<string | null>
}

interface Setting { readonly redis: Redis; readonly owners: Readonly<Record<Major, Owner>>; ours(): Manager; readonly plain: Manager }
/** Who owns the queue, and which versions were seen to open it, the last one last. */
interface Ownership { readonly majors: readonly Major[]; readonly opened: readonly Major[] }
/** `lost`: lost jobs of owners; `lostOurs`: lost jobs that were added or retried from here. */
interface Result { readonly lost: number; readonly lostOurs: number; readonly doubled: number; readonly steps: readonly string[] }

t.setTimeout(7_200_000)

t.test('with owners of both versions, this package loses and doubles no job, and owners lose no more jobs than without it', async t => {
  const setting = await setUp(t)
  const opened: ReadonlyArray<readonly Major[]> = [[6, 5], [5, 6, 5], [6, 5, 6]]
  const total = newTotal()
  for (let seed = 1; seed <= RUNS; seed++) {
    const { ours, nobody, seen } = await compare(setting, { majors: [5, 6], opened: opened[seed % opened.length]! }, seed, total)
    if (ours.lost > nobody.lost || ours.lostOurs + ours.doubled > 0)
      t.fail(`seed ${seed}: ${seen} after ${ours.steps.join(', ')}`)
  }
  t.comment(`${RUNS} interleavings with owners of both versions: ${JSON.stringify(total)}`)
  t.equal(total.doubled.ours, 0)
  t.ok(total.steps > RUNS, `${total.steps} steps of this package`)
})

t.test('with owners of one version, no job is lost or doubled', async t => {
  const setting = await setUp(t)
  const total = newTotal()
  for (let seed = 1; seed <= RUNS / 2; seed++) {
    const majors: readonly Major[] = [seed % 2 === 0 ? 5 : 6]
    const { ours, seen } = await compare(setting, { majors, opened: majors }, seed, total)
    if (ours.lost + ours.lostOurs + ours.doubled > 0) t.fail(`version ${majors[0]}, seed ${seed}: ${seen} after ${ours.steps.join(', ')}`)
  }
  t.comment(`${RUNS / 2} interleavings with owners of one version: ${JSON.stringify(total)}`)
  t.equal(total.lost.nobody, 0)
})

// Until its lists are read while it is paused, nothing in a queue shows a version that has not stored itself since this process started.
// So a first pause from here is one more occasion for the owners to lose jobs. This package is compared with BullMQ 6 in its place.
t.test('with an owner that was never seen, this package doubles no job, and no more is lost than with BullMQ in its place', async t => {
  const setting = await setUp(t)
  const total = newTotal()
  for (let seed = 1; seed <= RUNS / 4; seed++) await compare(setting, { majors: [5, 6], opened: [seed % 2 === 0 ? 5 : 6] }, seed, total)
  t.comment(`${Math.floor(RUNS / 4)} interleavings with an owner that was never seen: ${JSON.stringify(total)}`)
  t.equal(total.doubled.ours, 0)
  t.ok(total.lost.ours + total.lostOurs.ours <= total.lost.plain + total.lostOurs.plain)
})

const newTotal = () => ({
  steps: 0, lost: { ours: 0, nobody: 0, plain: 0 }, lostOurs: { ours: 0, plain: 0 }, doubled: { ours: 0, plain: 0 },
  /** Interleavings in which more was lost or doubled than without this package. */
  worse: { ours: 0, plain: 0 }
})

/** Makes the same steps with this package, without it, and with BullMQ 6 in its place. */
async function compare(setting: Setting, ownership: Ownership, seed: number, total: ReturnType<typeof newTotal>) {
  const [ours, nobody, plain] = [
    await play(setting, ownership, seed, setting.ours()), await play(setting, ownership, seed, null),
    await play(setting, ownership, seed, setting.plain)
  ]
  total.steps += ours.steps.filter(step => step.startsWith('we')).length
  total.lost.nobody += nobody.lost
  for (const [who, result] of [['ours', ours], ['plain', plain]] as const) {
    total.lost[who] += result.lost
    total.lostOurs[who] += result.lostOurs
    total.doubled[who] += result.doubled
    if (result.lost > nobody.lost || result.lostOurs + result.doubled > 0) total.worse[who]++
  }
  const seen = `${ours.lost} of the owners lost (${nobody.lost} without this package), ${ours.lostOurs} from here, ${ours.doubled} doubled`
  return { ours, nobody, seen }
}

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
  return { redis, owners, ours: () => managerOfPackage(redis, NAMES), plain: managerOfBullmq(owners[6].queue, NAMES) }
}

/** Makes the same steps for the same seed, whoever `us` is. */
async function play(
  { redis, owners }: Setting, { majors, opened }: Ownership, seed: number, us: Manager | null
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
  for (const major of opened) {
    await redis.hset(`bull:${NAME}:meta`, { 'version': VERSIONS[major], 'opts.maxLenEvents': 10_000 })
    await us?.look()
  }

  const take = async (owner: Owner, isFailing: boolean): Promise<boolean> => {
    const id = await owner.take(isFailing)
    if (id === null) return false
    // A run of the scheduler is added by whichever version takes the previous run.
    if (jobs.get(id) !== 'waiting' && !(id.startsWith('repeat:') && !jobs.has(id))) doubled++
    jobs.set(id, isFailing ? 'failed' : 'done')
    return true
  }
  const does = async (what: What, us: Manager, id: string, priority: number): Promise<void> => {
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
      if (!await us.add(jobId, isLater ? HOUR_MS : 0, priority)) return
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
    else if (what === 'upsert') await upsertHourly(owner.queue, ID)
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
