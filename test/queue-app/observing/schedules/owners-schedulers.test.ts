import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import { observedSchedulerFrom } from '../../../../lib/engine/observing/schedulers/observed-scheduler.ts'
import { readAllSchedulers } from '../../../../lib/queue-app/observing/schedules/owners-schedulers.ts'

const never = new Promise<never>(() => {})

function queuesOf(identity: string, count: number): SeenQueue[] {
  const server = { identity } as SeenQueue['server']
  return Array.from({ length: count }, (_, index) =>
    ({ taskName: `${identity}/q${index}`, name: `q${index}`, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }))
}

/** Servers on which every tenth queue has a scheduler. */
function createReads({ isSilent = () => false }: { isSilent?: (queue: SeenQueue) => boolean } = {}) {
  let calls = 0
  async function trip(queue: SeenQueue): Promise<void> {
    calls++
    await (isSilent(queue) ? never : nextTurn())
  }
  return {
    calls: () => calls,
    serverOf: ({ server }: SeenQueue) => server.identity,
    async haveAny(queues: readonly SeenQueue[]) {
      await trip(queues[0]!)
      return queues.map(({ name }) => name.endsWith('0'))
    },
    async list(queue: SeenQueue) {
      await trip(queue)
      const place = { taskName: queue.taskName, id: 'report', data: '{}', opts: '{}', plannedAt: 2_000, pending: 'delayed' } as const
      const values = ['report', null, '1000', null, null, null, null, null, '1', null]
      return { schedulers: queue.name.endsWith('0') ? [observedSchedulerFrom(place, values)] : [], left: 0 }
    }
  }
}

t.test('of a thousand queues, only those with schedulers are read one by one', async t => {
  const reads = createReads()
  const { schedulers, complete, failure } = await readAllSchedulers(reads, queuesOf('far', 1_000))
  t.same([schedulers.length, complete.size, failure], [100, 1_000, null])
  t.equal(reads.calls(), 1 + 100)
})

for (const [what, isSilent] of [
  ['a server that does not say which queues have any', ({ server }: SeenQueue) => server.identity === 'slow'],
  ['a server that does not list them', ({ server, name }: SeenQueue) => server.identity === 'slow' && name !== 'q0']
] as const) {
  t.test(`${what} does not keep other servers' schedulers from being read, and only its own are missing`, async t => {
    const slow = queuesOf('slow', 200)
    const reads = createReads({ isSilent })
    const { schedulers, complete, failure } = await readAllSchedulers(reads, [...slow, ...queuesOf('near', 200)], 500)
    t.same(schedulers.filter(({ taskName }) => taskName.startsWith('near/')).length, 20)
    t.same([...complete].filter(name => name.startsWith('near/')).length, 200)
    t.notOk(complete.has('slow/q10'), 'an unknown number is not 0')
    t.match(failure, { name: 'DeadlineError' })
  })
}

t.test('a queue that cannot be read does not stop others', async t => {
  const reads = createReads()
  const queues = queuesOf('one', 3)
  const haveAny = async () => [new Error('NOPERM'), true, false]
  const found = await readAllSchedulers({ ...reads, haveAny }, queues)
  t.same([...found.complete], ['one/q2', 'one/q1'])
  t.match(found.failure, { message: 'NOPERM' })
})
