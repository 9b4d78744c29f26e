import { setTimeout as sleep } from 'node:timers/promises'
import { FlowProducer } from 'bullmq'
import t from 'tap'
import { connectBullmq } from '../../../lib/engine/connection/bullmq-connection.ts'
import { queueNameFromTask } from '../../../lib/engine/jobs/queue-name.ts'
import { openQueues, startEngine } from '../../contracts/engine-work.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { takeJob } from '../../queue-app/monitoring/why/ghost.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { MAX_COUNTED_AHEAD } from '../../../lib/engine/standing/standing.ts'

const JOBS = 16
const TAKER = { workerId: 'taker', lockMs: 60_000 }

t.test('the number ahead of an execution equals the number that BullMQ starts before it', async t => {
  await onEveryStore(t, async (t, url) => {
    const { engine, store } = await startEngine(t, url)
    const queueOf = await openQueues(t, store)
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed)
      const taskName = `position ${seed}: 日報`
      const queue = queueOf(taskName)
      // No worker runs, so jobs that become due stay in the delayed state.
      for (let index = 0; index < JOBS; index++) {
        const kind = Math.floor(random() * 4)
        await queue.add(taskName, {}, {
          jobId: `job-${index}`,
          ...kind === 1 && { lifo: true }, ...kind === 2 && { priority: 1 + Math.floor(random() * 3) },
          ...kind === 3 && { delay: 1 + index, priority: Math.floor(random() * 3) }
        })
      }
      await sleep(JOBS * 2)
      const said: Array<readonly [id: string, ahead: number]> = []
      for (let index = 0; index < JOBS; index++) {
        const standing = await engine.standing([taskName, 'other'], `job-${index}`)
        t.equal(standing?.ahead?.relation, 'exact')
        said.push([`job-${index}`, standing!.ahead!.value])
      }
      const taken: Array<string | undefined> = []
      for (let index = 0; index < JOBS; index++) taken.push(await takeJob(store, taskName, TAKER))
      t.same(said.sort(([, one], [, other]) => one - other).map(([id]) => id), taken, `seed ${seed}`)
      t.same(said.map(([, ahead]) => ahead), Array.from({ length: JOBS }, (_, index) => index), 'no two have the same number ahead')
    }
  })
})

t.test('counting stops at a limit and says so', async t => {
  await onEveryStore(t, async (t, url, kind) => {
    const { engine, store } = await startEngine(t, url)
    const queueOf = await openQueues(t, store)
    const jobs = (count: number, from: number) => Array.from({ length: count }, (_, index) =>
      ({ name: 'many', data: {}, opts: { jobId: `job-${from + index}` } }))
    for (let from = 0; from < MAX_COUNTED_AHEAD; from += 2_500) await queueOf('many').addBulk(jobs(2_500, from))
    await queueOf('many').addBulk(jobs(3, MAX_COUNTED_AHEAD))
    t.same((await engine.standing(['many'], `job-${MAX_COUNTED_AHEAD - 1}`))?.ahead, { value: MAX_COUNTED_AHEAD - 1, relation: 'exact' })
    const last = await engine.standing(['many'], `job-${MAX_COUNTED_AHEAD + 2}`)
    t.same(last?.ahead, { value: MAX_COUNTED_AHEAD, relation: 'at_least' }, kind)
    t.equal(await engine.standing(['many'], 'none'), null)
    t.equal(await engine.standing([], 'job-1'), null)
    t.equal(await engine.standing(['other'], 'job-1'), null, 'it is not in the queues that are searched')
    const many = Array.from({ length: 600 }, (_, index) => `task ${index}`)
    t.match(await engine.standing([...many, 'many'], 'job-0'), { ahead: { value: 0 } }, 'among hundreds of queues')
  })
})

t.test('ids that belong to no job, or cannot be ids, give null', async t => {
  await onEveryStore(t, async (t, url) => {
    const { engine, store } = await startEngine(t, url)
    const queueOf = await openQueues(t, store)
    await queueOf('a').add('a', {}, { jobId: 'one', delay: 60_000 })
    await queueOf('a').pause()
    for (const id of ['meta', 'delayed', 'wait', '', ':', 'one:logs', '\0', '\ud800', 'x'.repeat(1_000), '*', '__proto__'])
      t.equal(await engine.standing(['a'], id), null, JSON.stringify(id).slice(0, 40))
    t.match(await engine.standing(['a'], 'one'), { state: 'delayed', ahead: null, pause: { by: null }, dueAt: Number })
  })
})

t.test('the standing has the lock of a running execution, the running executions by worker, and the limits of the queue', async t => {
  await onEveryStore(t, async (t, url) => {
    const { engine, store } = await startEngine(t, url)
    const queueOf = await openQueues(t, store)
    const queue = queueOf('runs')
    for (const jobId of ['one', 'two', 'three']) await queue.add('runs', {}, { jobId })
    await takeJob(store, 'runs', { workerId: 'w-1', lockMs: 60_000 })
    await takeJob(store, 'runs', { workerId: 'w-2', lockMs: 500 })
    await sleep(600)
    await queue.setGlobalConcurrency(2)
    await queue.setGlobalRateLimit(5, 60_000)

    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map(id => engine.standing(['runs'], id)))
    t.match(one, { state: 'active', execution: { status: 'running', workerId: 'w-1' }, ahead: null, concurrencyLimit: 2 })
    t.ok(one!.lockedUntil! > one!.at + 50_000 && one!.lockedUntil! <= one!.at + 60_000, 'until its lock ends')
    t.match(two, { state: 'active', lockedUntil: null }, 'the lock has ended')
    t.match(three, { state: 'waiting', ahead: { value: 0 }, rateLimit: { max: 5, durationMs: 60_000 }, rateSpan: null, pause: null })
    t.equal(three!.active.total, 2)
    t.same([...three!.active.byWorker], [['w-1', 1]], 'only what has a lock')
    await takeJob(store, 'runs', { workerId: 'w-1', lockMs: 60_000 })
    t.match(await engine.standing(['runs'], 'three'), { state: 'waiting' }, 'the queue is full')
  })
})

t.test('the standing of an execution that waits for others has their number', async t => {
  await onEveryStore(t, async (t, url) => {
    const { engine, store } = await startEngine(t, url)
    const { requests: connection, prefix, factory, prepare, close } = connectBullmq(store)
    await prepare()
    const flows = new FlowProducer({ connection, ...prefix !== undefined && { prefix }, skipVersionCheck: true }, factory)
    const child = (jobId: string) => ({ name: 'child', queueName: queueNameFromTask('child'), data: {}, opts: { jobId } })
    await flows.add({
      name: 'parent', queueName: queueNameFromTask('parent'), data: {}, opts: { jobId: 'p' }, children: [child('c-1'), child('c-2')]
    })
    await flows.close()
    await close()
    t.match(await engine.standing(['parent', 'child'], 'p'), { state: 'waiting-children', children: 2, ahead: null, dueAt: null })
    t.match(await engine.standing(['parent', 'child'], 'c-2'), { state: 'waiting', children: null, ahead: { value: 1 } })
  })
})

t.test('times from other code that are beyond any date become the last possible date', async t => {
  await onEveryStore(t, async (t, url, kind) => {
    const { engine, store } = await startEngine(t, url)
    const queueOf = await openQueues(t, store)
    await queueOf('far').add('far', {}, { jobId: 'far', delay: 9e15 })
    const standing = await engine.standing(['far'], 'far')
    t.ok(standing!.dueAt! <= 8.64e15 && standing!.dueAt! > standing!.at, `${kind}: ${standing!.dueAt}`)
    t.ok(new Date(standing!.dueAt!).toISOString())
  })
})
