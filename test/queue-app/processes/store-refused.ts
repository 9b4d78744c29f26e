import type { Test } from 'tap'
import { isTaskDashboardError, QueueApp, type TaskDashboardError } from '../../../lib/index.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { serveDashboard } from '../../faults/serve-dashboard.ts'
import { waitFor } from '../../support/wait-for.ts'

export interface TakenAway {
  readonly name: string
  take(): Promise<unknown>
  giveBack(): Promise<unknown>
  /** The reason that health and callers get. */
  readonly reason: RegExp
  /** Whether callers cannot read either. */
  readonly takesReads: boolean
}

/**
 * Rights are taken away while the app runs. Callers are not asked to retry, no outcome changes, and everything recovers when the rights
 * return.
 */
export async function testRightsTakenAway(t: Test, url: string, cases: readonly TakenAway[]): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker: url, stopGraceMs: 1_000, onError() {} })
  const runs: string[] = []
  let release = (): void => {}
  const hold = queueApp.task('hold', async (name: string, isFailing: boolean) => {
    runs.push(name)
    await new Promise<void>(resolve => { release = resolve })
    if (isFailing) throw new RangeError(name)
    return name
  }, { concurrency: 1 })
  const quick = queueApp.task('quick', (name: string) => { runs.push(name) })
  await queueApp.start()
  const server = await serveDashboard(t, queueApp)

  for (const { name, take, giveBack, reason, takesReads } of cases) {
    await t.test(name, async t => {
      for (const isFailing of [false, true]) {
        const held = `${name} ${isFailing}`
        // On a busy machine it is asked for again, and added once.
        const id = await waitFor('it to be accepted', () => queueApp.enqueue(hold, [held, isFailing], { deduplication: { key: held } }))
        await waitFor('it to run', async () => runs.includes(held))
        await take()
        release()
        const refusal = await refusalOf(() => queueApp.enqueue(quick, [`refused ${held}`]))
        t.match(refusal.message, reason)
        if (takesReads) {
          const answer = await waitFor('a read to be refused', async () => {
            const found = await server.inject('/tasks/api/executions')
            // A busy server may answer late before it refuses.
            return found.statusCode === 500 && found
          })
          t.match(answer.json<Problem>(), { status: 500, code: 'STORE_REFUSED', detail: reason })
          t.notOk('retry-after' in answer.headers)
          t.notMatch(answer.body, /127\.0\.0\.1/)
        }
        const health = await waitFor('health to report it', async () => {
          const found = await queueApp.monitoring.health()
          return !found.components.broker.healthy && found
        })
        t.match(health, { status: 'unhealthy', components: { broker: { message: reason } } })
        t.match(health.components.broker.message, /^reachable, but /)
        await giveBack()
        const result = await waitFor('its outcome', () =>
          queueApp.monitoring.execution(id).then(found => typeof found?.finishedAt === 'number' && found, passing))
        t.match(result, isFailing ? { status: 'failed', attempt: 1, error: { type: 'RangeError' } } : { status: 'success', attempt: 1 })
        t.equal(runs.filter(each => each === held).length, 1, 'it ran once')
        const after = `after ${held}`
        await waitFor('one to be accepted', () => queueApp.enqueue(quick, [after]).catch(passing))
        await waitFor('it to run', async () => runs.includes(after))
        await waitFor('health to recover', async () => (await queueApp.monitoring.health()).status === 'healthy')
      }
    })
  }
  // Health counts the processes of this queue app whose workers are refused: the next test has one.
  await queueApp.stop()
}

/** Rights that only workers need are taken away. Callers carry on, and health names what is missing and whose work it blocks. */
export async function testWorkersRefused(t: Test, url: string, cases: ReadonlyArray<Omit<TakenAway, 'takesReads'>>): Promise<void> {
  const worker = QueueApp.fromUrls({ broker: url, stopGraceMs: 1_000, onError() {} })
  worker.task('quiet', () => 'done')
  const dashboard = QueueApp.fromUrls({ broker: url, onError() {} })
  t.teardown(() => Promise.all([worker.stop(), dashboard.stop()]))
  await worker.start()
  await dashboard.start()
  for (const { name, take, giveBack, reason } of cases) {
    await t.test(name, async t => {
      const result = await waitFor('one to be accepted', () => dashboard.enqueue('quiet', []))
      await waitFor('it to run', async () => (await dashboard.monitoring.execution(result))?.status === 'success')
      await take()
      const id = await waitFor('another to be accepted', () => dashboard.enqueue('quiet', []))
      let last = ''
      const health = await waitFor(() => `health to name it: ${last}`, async () => {
        const found = await dashboard.monitoring.health()
        last = JSON.stringify(found.components)
        return reason.test(found.components.workers.message) && found
      })
      t.match(health, {
        status: 'degraded',
        components: { broker: { healthy: true }, workers: { healthy: false, message: /the broker refuses the workers of one process: / } }
      })
      await giveBack()
      await waitFor('the waiting executions to run', async () => (await dashboard.monitoring.execution(id))?.status === 'success')
      await waitFor('health to recover', async () => (await dashboard.monitoring.health()).status === 'healthy')
    })
  }
}

/** The refusal of a call. A call that was under way when the rights were taken may still succeed. */
async function refusalOf(call: () => Promise<unknown>): Promise<TaskDashboardError> {
  return await waitFor('a call to be refused', () => call().then(() => null, (error: TaskDashboardError) => {
    if (error.code !== 'STORE_REFUSED') throw error
    return error
  }))
}

function passing(error: unknown): null {
  if (isTaskDashboardError(error) && error.code === 'STORE_REFUSED') return null
  throw error
}
