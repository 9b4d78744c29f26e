import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openQueues, startEngine } from '../contracts/engine-work.ts'
import { seededRandom } from '../queue-app/monitoring/why/seeded-random.ts'
import { takeJob } from '../queue-app/monitoring/why/ghost.ts'
import { onEveryStore } from '../support/servers/stores.ts'
import { MAX_COUNTED_AHEAD } from '../../lib/engine/standing/standing.ts'

const JOBS = 16
const TAKER = { workerId: 'taker', lockMs: 60_000 }

t.test('how many are ahead of an execution is how many BullMQ starts before it', async t => {
  await onEveryStore(t, async (t, url) => {
    const { engine, store } = await startEngine(t, url)
    const queueOf = await openQueues(t, store)
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed)
      const taskName = `position ${seed}: 日報`
      const queue = queueOf(taskName)
      // What nobody moves, because no worker asks, is due but delayed.
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
    t.equal(await engine.standing(['other'], 'job-1'), null, 'it is not in the queues that are asked')
    const many = Array.from({ length: 600 }, (_, index) => `task ${index}`)
    t.match(await engine.standing([...many, 'many'], 'job-0'), { ahead: { value: 0 } }, 'among hundreds of queues')
  })
})

t.test('ids that are no jobs, or too odd to be ids, are nothing', async t => {
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
