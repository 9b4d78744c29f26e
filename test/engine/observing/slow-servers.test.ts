import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { inFlightOfReachable } from '../../../lib/engine/observing/in-flight-of-reachable.ts'
import { createObservedEngine } from '../../../lib/engine/observing/observed-engine.ts'
import { NO_LONG_FIELDS, observedJobFrom, payloadFrom, type ObservedJob } from '../../../lib/engine/observing/observed-job.ts'
import type { ObservedQueue } from '../../../lib/engine/observing/observed-queue.ts'
import type { ObservedServer, QueueRange } from '../../../lib/engine/observing/observed-server.ts'
import { NOTHING_HELD } from '../../../lib/engine/queues/queue-reads.ts'

const JOBS = 6
const LONG = { ...NO_LONG_FIELDS, name: 'send', opts: '{}' }

/** Two servers with one queue each, whose jobs were added alternately. `isSilent` decides which of their calls get no response. */
function createServers(isSilent: (call: 'ranges' | 'complete', identity: string) => boolean) {
  const asked: string[] = []
  async function answer<Value>(call: 'ranges' | 'complete', identity: string, value: Value): Promise<Value> {
    asked.push(`${identity} ${call}`)
    return isSilent(call, identity) ? await new Promise<never>(() => {}) : value
  }
  const queues = new Map(['a', 'b'].map((identity, nth): [string, ObservedQueue] => {
    const listed = Array.from({ length: JOBS }, (_, index): ObservedJob => observedJobFrom(
      { taskName: identity, queueName: identity, id: `${JOBS - index}`, unread: [] }, [`${1_000 + 2 * (JOBS - index) + nth}`], LONG, null
    ))
    const server = {
      identity, part: '',
      queues: {
        ranges: (requests: readonly QueueRange[]) => answer('ranges', identity, requests.map(({ request: { state, offset, size } }) => {
          const found = state === 'waiting' ? listed.slice(offset, offset + size) : []
          const jobs = found.map((job, index) => ({ job, next: offset + index + 1 }))
          return { jobs, next: offset + jobs.length, isEnd: offset + jobs.length >= (state === 'waiting' ? JOBS : 0) }
        }))
      },
      jobs: { complete: (jobs: ReadonlyArray<{ job: ObservedJob }>) => answer('complete', identity, jobs.map(({ job }) => job)) }
    } as unknown as ObservedServer
    return [identity, { taskName: identity, name: identity, prefix: 'bull', server }]
  }))
  const counted = { values: new Map([...queues.keys()].map(name => [name, { ...NOTHING_HELD, waiting: JOBS }])), lost: null, away: [] }
  return {
    asked,
    async page(limit: number, cursor?: string) {
      const query = { taskNames: ['a', 'b'], order: 'newest', limit, ...cursor !== undefined && { cursor } } as const
      const page = await inFlightOfReachable(name => queues.get(name), counted, query, 5_000)
      return { ...page, ids: page.executions.map(({ executionId }) => executionId) }
    }
  }
}

for (const call of ['ranges', 'complete'] as const) {
  t.test(`a server that counted its jobs, but then does not respond to ${call}, is left out of the list`, async t => {
    let isSlow = true
    const { page, asked } = createServers((each, identity) => isSlow && each === call && identity === 'b')
    const first = await page(3)
    t.same(first.ids, ['a:6', 'a:5', 'a:4'])
    t.match(first.lost, { code: 'BROKER_UNAVAILABLE' })
    t.equal(asked.filter(each => each === `b ${call}`).length, 1, 'the list waits for it only once')
    isSlow = false
    const second = await page(4, first.next!)
    t.same(second.ids, ['b:3', 'a:3', 'b:2', 'a:2'], 'both continue at the position of the list')
    t.match(second.lost, { code: 'BROKER_UNAVAILABLE' }, 'the earlier jobs of the other server are still missing')
  })
}

t.test('a list is refused if no server responds', async t => {
  const { page } = createServers(() => true)
  await t.rejects(page(3), { code: 'BROKER_UNAVAILABLE' })
})

t.test('a job is read from a server that takes half a second for each call', async t => {
  const job = observedJobFrom({ taskName: 'a', queueName: 'a', id: '7', unread: [] }, ['1000'], LONG, null)
  const slowly = <Value>(value: Value) => async () => { await sleep(500); return value }
  const payload = payloadFrom('{}', null, { lines: [], isCut: false })
  const jobs = { find: slowly({ job, state: 'waiting' }), payload: slowly(payload), has: slowly(true) }
  const queue = { taskName: 'a', name: 'a', prefix: 'bull', server: { identity: 'a', part: '', jobs } } as unknown as ObservedQueue
  const engine = createObservedEngine(name => (name === 'a' ? queue : undefined))
  t.match(await engine.find(['a'], 'a:7'), { executionId: 'a:7', status: 'pending' })
})
