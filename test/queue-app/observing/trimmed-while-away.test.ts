/**
 * While the dashboard is away, a queue loses events because BullMQ keeps only the latest. Every finished job is then either in the history,
 * or its end is among the lost events, and their number is exact. With BullMQ's default of 10,000 events in `npm run soak`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { withHistory } from '../../support/observe.ts'
import { jobIdOf, readHistory } from '../../support/observed-history.ts'
import { openQueue, startOwnersWorker, untilStored } from '../../support/programs/owners-of-queues.ts'
import { isSoak } from '../../support/soak.ts'
import { postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.setTimeout(900_000)

/** One job writes at least four events. The jobs of a batch write fewer than are kept, so that the test can read all. */
const [KEPT, BEFORE, MEANWHILE, BATCH] = isSoak ? [{}, 400, 4_000, 200] : [{ streams: { events: { maxLen: 100 } } }, 20, 150, 10]
const POLL_MS = 5

interface Told { readonly serial: number; readonly jobId: string | undefined; readonly isFinish: boolean }

/** Reads every event of a queue as soon as it is there, until `stop`. */
type Tail = (t: Test, url: string) => { readonly events: Told[]; stop(): Promise<{ readonly firstKept: number }> }

const tailStream: Tail = (t, url) => {
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  return poll(async (after: string | null, events) => {
    const [[, entries] = ['', []]] = await redis.xread('COUNT', 10_000, 'STREAMS', 'bull:emails:events', after ?? '0-0') ?? []
    for (const [, flat] of entries) {
      const of = (name: string) => flat[flat.indexOf(name) + 1]
      const [event, jobId] = [of('event'), flat.includes('jobId') ? of('jobId') : undefined]
      events.push({ serial: events.length, jobId, isFinish: event === 'completed' || event === 'failed' })
    }
    return entries.at(-1)?.[0] ?? after
  }, async events => ({ firstKept: events.length - await redis.xlen('bull:emails:events') }))
}

const tailTable: Tail = (t, url) => {
  const client = new pg.Client(url)
  t.teardown(() => client.end())
  const connected = client.connect()
  const known = new Set<string>()
  return poll(async (after: number | null, events) => {
    await connected
    // An event can appear after one with a higher number.
    const { rows } = await client.query<{ id: string; event: string; job: string | null }>(
      `SELECT id, event, data ->> 'jobId' AS job FROM bullmq.event WHERE queue = 'emails' AND id > $1 ORDER BY id`, [(after ?? 0) - 500]
    )
    const added = rows.filter(({ id }) => !known.has(id))
    for (const { id } of added) known.add(id)
    events.push(...added.map(({ id, event, job }) =>
      ({ serial: Number(id), jobId: job ?? undefined, isFinish: event === 'completed' || event === 'failed' })))
    return Math.max(after ?? 0, ...added.map(({ id }) => Number(id)))
  }, async () => {
    const { rows } = await client.query<{ first: string }>(`SELECT min(id) AS first FROM bullmq.event WHERE queue = 'emails'`)
    return { firstKept: Number(rows[0]!.first) }
  })
}

function poll<Position>(
  read: (after: Position | null, events: Told[]) => Promise<Position | null>,
  end: (events: readonly Told[]) => Promise<{ firstKept: number }>
) {
  const events: Told[] = []
  let isStopped = false
  const running = (async () => {
    for (let after: Position | null = null; ;) {
      const isLast = isStopped
      after = await read(after, events)
      if (isLast) return
      await sleep(POLL_MS)
    }
  })()
  return {
    events,
    async stop() {
      isStopped = true
      await running
      return await end(events)
    }
  }
}

for (const [store, urlOf, tail] of [['Redis', redisUrl, tailStream], ['PostgreSQL', postgresUrl, tailTable]] as const) {
  t.test(`on ${store}, what was trimmed while the dashboard was away is stated, and all else is in the history`, async t => {
    const url = await urlOf(t)
    const errors: string[] = []
    const options = await withHistory(t, { backend: await redisUrl(t), onError: error => errors.push(error.message) })
    const queue = openQueue(t, 6, 'emails', url, { defaultJobOptions: { removeOnComplete: true, removeOnFail: true }, ...KEPT })
    await untilStored(queue)
    const worker = startOwnersWorker(t, 6, 'emails', url)
    const tailed = tail(t, url)
    const run = async (count: number) => {
      const finishes = () => tailed.events.filter(({ isFinish }) => isFinish).length
      const before = worker.outcomes.length
      for (let added = BATCH; added <= count; added += BATCH) {
        await queue.addBulk(Array.from({ length: BATCH }, (_, to) => ({ name: 'send', data: { to, fail: to % 9 === 0 } })))
        await waitFor('the worker', async () => worker.outcomes.length === before + added && finishes() === before + added)
      }
    }
    const open = async () => {
      const queueApp = QueueApp.fromQueues({ broker: url }, options)
      t.teardown(() => queueApp.stop())
      await queueApp.start()
      return queueApp
    }
    const first = await open()
    await run(BEFORE)
    await waitFor('the history', async () => (await readHistory(first)).length === BEFORE)
    await sleep(200)
    await first.stop()
    const readUntil = Math.max(...tailed.events.map(({ serial }) => serial))
    await run(MEANWHILE)
    await worker.close()
    const { firstKept } = await tailed.stop()
    const lost = tailed.events.filter(({ serial }) => serial > readUntil && serial < firstKept)
    t.ok(lost.length > MEANWHILE, `${lost.length} events were trimmed`)

    const second = await open()
    const gap = await waitFor('the gap', async () =>
      errors.find(text => text.includes('events of the queue emails were removed before they could be read')))
    t.match(await second.monitoring.health(), { status: 'degraded', components: { backend: { healthy: false } } })
    const lostJobs = lost.filter(({ isFinish }) => isFinish).map(({ jobId }) => jobId!)
    const jobs = worker.outcomes.map(({ jobId }) => jobId)
    await waitFor('the rest', async () => (await readHistory(second)).length >= jobs.length - lostJobs.length)
    const recorded = (await readHistory(second)).map(jobIdOf)
    t.same([...recorded, ...lostJobs].sort(), jobs.sort(), 'what was recorded and what was lost is the log of the workers, each job once')
    const [told, from, to] = /^(.*) events of .* between (\S+) and (\S+):/.exec(gap)!.slice(1)
    t.equal(told, store === 'Redis' ? String(lost.length) : 'An unknown number of', 'the stated number')
    const missing = worker.outcomes.filter(({ jobId }) => lostJobs.includes(jobId))
    const isStated = ({ finishedAt }: { finishedAt: number }): boolean => finishedAt >= Date.parse(from!) && finishedAt <= Date.parse(to!)
    t.ok(missing.every(isStated), 'all ended in the stated time')
    t.comment(`${jobs.length} ended, ${recorded.length} recorded, ${lost.length} events with ${lostJobs.length} ends lost, stated: ${told}`)
  })
}
