import t from 'tap'
import { createObservedFinished } from '../../../lib/engine/observing/observed-finished.ts'
import { NO_LONG_FIELDS, observedJobFrom } from '../../../lib/engine/observing/observed-job.ts'
import type { ObservedQueue } from '../../../lib/engine/observing/observed-queue.ts'
import type { ObservedServer } from '../../../lib/engine/observing/observed-server.ts'

/** A queue whose only completed job is listed at 5000, although it finished at 4000. */
function openQueue() {
  const state = { listedAt: 5_000, finishedOn: 4_000, reads: 0 }
  const list = async (kind: string) => kind === 'completed' ? [{ jobId: '1', finishedOn: state.listedAt }] : []
  const server = {
    queues: {
      finished: async (_queue: unknown, kind: string, start: number) => start > 0 ? [] : await list(kind),
      newestFinished: async (_queue: unknown, kind: string) => await list(kind)
    },
    jobs: {
      async read() {
        state.reads++
        const values = ['1000', '0', '0', '2000', String(state.finishedOn), '1', '1', null]
        const place = { taskName: 'mail', queueName: 'mail', id: '1', unread: [] }
        return observedJobFrom(place, values, { ...NO_LONG_FIELDS, name: 'send' }, null)
      },
      payload: async () => ({ data: '{}', returnvalue: '1', logs: [], unread: [] }),
      finishedOn: async () => [state.finishedOn],
      listedAt: async () => state.listedAt
    }
  } as unknown as ObservedServer
  const queue: ObservedQueue = { taskName: 'mail', name: 'mail', prefix: 'bull', server }
  const history = new Set<string>()
  const open = () => createObservedFinished({ queueOf: () => queue, request: work => work() })
  const missing = async (ids: string[]) => ids.filter(id => !history.has(id))
  /** What a pass records. */
  async function pass({ finishedSince }: ReturnType<typeof open>): Promise<string[]> {
    const ids: string[] = []
    for await (const executions of finishedSince('mail', 0, missing)) ids.push(...executions.map(({ executionId }) => executionId))
    for (const id of ids) history.add(id)
    return ids
  }
  return { state, open, pass }
}

t.test('a job that its queue lists at another time is recorded with its own time, and read once', async t => {
  const { state, open, pass } = openQueue()
  const finished = open()
  t.same(await pass(finished), ['mail:1@4000'])
  const { reads } = state
  t.same(await pass(finished), [])
  t.equal(state.reads, reads, 'it is not read again')
  const [newest] = await finished.newestFinished([{ taskName: 'mail', sinceMs: 0 }])
  t.match(newest, { executions: [{ executionId: 'mail:1@4000', finishedAt: 5_000 }], isAll: true })

  t.same(await pass(open()), [], 'another process reads it and finds that it was recorded')
})

t.test('a job that runs again while it is read is left to the next pass', async t => {
  const { state, open, pass } = openQueue()
  const finished = open()
  const { listedAt } = state
  // The list was read before, and the job finishes again before it is read.
  Object.defineProperty(state, 'listedAt', { get: () => state.reads === 0 ? listedAt : 6_000 })
  Object.defineProperty(state, 'finishedOn', { get: () => 6_000 })
  t.same(await pass(finished), [])
  t.same(await pass(finished), ['mail:1@6000'])
})
