import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { Execution } from '../../../lib/execution.ts'
import { withHistory } from '../../support/observe.ts'
import { openQueue, startOwnersWorker, type Outcome } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const JOBS = 400

/** The whole history, read page by page. */
async function readHistory(queueApp: QueueApp): Promise<Execution[]> {
  const all: Execution[] = []
  for (let cursor: string | undefined; ;) {
    const page = await queueApp.monitoring.executions({ limit: 200, ...cursor !== undefined && { cursor } })
    all.push(...page.executions)
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

/** `emails:17@1795576043549-0` → `17` */
function jobIdOf({ executionId }: Execution): string {
  return executionId.replace(/^[^:]*:/, '').replace(/@[\d-]+$/, '')
}

function matches(execution: Execution | undefined, outcome: Outcome): boolean {
  // Rebuilt executions have the server's times, and the worker's clock is the same here.
  return execution?.status === outcome.status && Math.abs(execution.finishedAt! - outcome.finishedAt) < 2_000 &&
    Math.abs(execution.durationMs! - (outcome.finishedAt - outcome.startedAt)) < 2_000
}

for (const major of [5, 6] as const) {
  for (const [name, keep] of [
    ['keeps everything', {}],
    ['keeps nothing', { removeOnComplete: true, removeOnFail: true }],
    ['keeps the last ten', { removeOnComplete: { count: 10 }, removeOnFail: { count: 10 } }]
  ] as const) {
    t.test(`under load, the history equals the log of workers of BullMQ ${major} whose queue ${name}`, async t => {
      const url = await redisUrl(t)
      const queue = openQueue(t, major, 'emails', url, { defaultJobOptions: keep })
      const worker = startOwnersWorker(t, major, 'emails', url)
      const data = (index: number) =>
        ({ name: index % 2 === 0 ? 'send' : 'digest', data: { to: index, ms: index % 7, fail: index % 9 === 0 } })
      const half = Array.from({ length: JOBS / 2 }, (_, index) => data(index))
      await queue.addBulk(half)
      const options = { onError: (error: Error) => { t.fail(error.message) } }
      const queueApp = QueueApp.fromQueues({ broker: url }, major === 6 ? options : await withHistory(t, options))
      await queueApp.start()
      t.teardown(() => queueApp.stop())
      await queue.addBulk(half.map((_, index) => data(index + JOBS / 2)))
      await waitFor('the workers', async () => worker.outcomes.length === JOBS)

      const history = await waitFor('the history', async () => {
        const [task] = await queueApp.monitoring.tasks()
        return task !== undefined && task.executions.success + task.executions.failed >= JOBS && readHistory(queueApp)
      })
      await new Promise(resolve => { setTimeout(resolve, 1_000) })
      const [task] = await queueApp.monitoring.tasks()
      t.equal(task!.executions.success, worker.outcomes.filter(({ status }) => status === 'success').length, 'successes')
      t.equal(task!.executions.failed, worker.outcomes.filter(({ status }) => status === 'failed').length, 'failures')
      t.equal(history.length, JOBS, 'each execution once')
      const byJob = new Map(history.map(execution => [jobIdOf(execution), execution]))
      t.equal(byJob.size, JOBS, 'each job once')
      t.same(worker.outcomes.filter(outcome => !matches(byJob.get(outcome.jobId), outcome)), [], 'outcome, finish and duration')
      const waits = history.filter(({ waitMs }) => waitMs === null)
      t.same(waits, [], 'every wait is known')

      const details = await Promise.all(worker.outcomes.slice(-20).map(async outcome =>
        ({ outcome, execution: await queueApp.monitoring.execution(byJob.get(outcome.jobId)!.executionId) })))
      for (const { outcome, execution } of details) {
        t.equal(execution!.jobName, outcome.name, 'the name of the job')
        if (outcome.status === 'success') t.match(execution!.result, { sent: Number }, 'the result')
        else t.match(execution!.error, { message: /^cannot send / }, 'the error')
        if (name === 'keeps nothing') t.match(execution!.missing, ['args', 'logs'], 'the missing parts are named')
        else if (name === 'keeps everything') {
          t.equal(execution!.missing, undefined, 'nothing is missing')
          t.match(execution!.args, [{ to: Number }])
        }
      }
    })
  }
}
