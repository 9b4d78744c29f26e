import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { QueueApp, type TaskDashboardError } from '../../../lib/index.ts'
import type { Health } from '../../../schemas/health.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { Stats } from '../../../schemas/stats.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { inTime } from '../../support/in-time.ts'
import { waitFor } from '../../support/wait-for.ts'
import { serveDashboard } from '../serve-dashboard.ts'

const READS = ['/api/stats', '/api/tasks', '/api/executions', '/api/schedules', '/api/tasks/count', '/api/executions/none']
/** A response from just before an outage may be repeated for this long. */
const SNAPSHOT_MS = 1500

/** Broker and result backend go down and come back in turn, by crashing and by hanging. */
export async function testOutages(t: Test, broker: TestServer, backend: TestServer): Promise<void> {
  const errors: Error[] = []
  const queueApp = QueueApp.fromUrls({
    broker: broker.url, backend: backend.url, stopGraceMs: 1000, onError: error => { errors.push(error) }
  })
  const counted = new Map<number, number>()
  const count = queueApp.task('count', async (index: number) => { counted.set(index, (counted.get(index) ?? 0) + 1) })
  await queueApp.start()
  const server = await serveDashboard(t, queueApp)
  const get = (path: string) => server.inject({ url: `/tasks${path}` })
  const health = async () => (await get('/api/health')).json<Health>()
  let enqueued = 0
  let unconfirmed = 0
  const enqueue = async (many: number) => {
    await queueApp.enqueueMany(count, Array.from({ length: many }, () => [enqueued++]))
  }
  // A failed pass of the reconciler is reported until the next one, up to 15 s later.
  const healthy = () => waitFor('health to recover', async () => (await health()).status === 'healthy')
  let last = ''
  const soFar = () =>
    `all ${enqueued} that were enqueued to be in the history; ${counted.size} ran, the statistics: ${last}; errors: ` +
      `${errors.slice(-5).join('; ')}`
  const everythingRecorded = () => waitFor(soFar, async () => {
    const answer = await get('/api/stats')
    last = `${answer.statusCode} ${answer.body.slice(0, 500)}`
    return answer.statusCode === 200 && answer.json<Stats>().executions.success === enqueued + (counted.get(TIMED_OUT) ?? 0)
  })

  await enqueue(20)
  await everythingRecorded()

  for (const [how, goAway] of [['a crash', () => broker.kill()], ['hanging', async () => { broker.freeze() }]] as const) {
    await t.test(`a broker outage by ${how} is reported, and work continues afterwards`, async t => {
      await goAway()
      // The backend has a latency, so it responded. A failed comparison with the broker may be reported there as well.
      const noticed = await waitFor('health to notice', async () => {
        const { components, ...report } = await health()
        return !components.broker.healthy && components.backend.latency_ms !== undefined && { components, ...report }
      })
      t.match(noticed, {
        healthy: false, status: 'unhealthy', components: { broker: { healthy: false }, backend: { latency_ms: Number } }
      })
      t.equal((await get('/api/health')).statusCode, 503)
      await sleep(SNAPSHOT_MS)
      for (const path of READS) await isUnavailable(t, path, 'BROKER_UNAVAILABLE')
      const refusal = await inTime(t, 'an enqueue is refused', 2000, () =>
        queueApp.enqueue(count, [TIMED_OUT]).then(() => null, (error: TaskDashboardError) => error))
      t.match(refusal, { code: /^(?:BROKER_UNAVAILABLE|UNCONFIRMED)$/ })
      if (refusal?.code === 'UNCONFIRMED') unconfirmed++
      broker.thaw()
      await broker.start()
      await healthy()
      await enqueue(20)
      await everythingRecorded()
      t.equal(ownOf(counted), enqueued, 'the workers continue')
      t.ok((counted.get(TIMED_OUT) ?? 0) <= unconfirmed, 'what was refused did not happen')
    })
  }

  for (const [how, goAway] of [['a crash', () => backend.kill()], ['hanging', async () => { backend.freeze() }]] as const) {
    await t.test(`a result backend outage by ${how} is reported, and everything is recorded afterwards`, async t => {
      await goAway()
      await waitFor('health to notice', async () => (await health()).status === 'unhealthy')
      t.match(await health(), {
        healthy: false, status: 'unhealthy', components: { broker: { healthy: true }, backend: { healthy: false, latency_ms: undefined } }
      })
      await sleep(SNAPSHOT_MS)
      for (const path of ['/api/stats', '/api/tasks', '/api/executions']) await isUnavailable(t, path, 'BACKEND_UNAVAILABLE')
      await enqueue(20)
      await waitFor('the workers to go on without the backend', async () => ownOf(counted) === enqueued)
      backend.thaw()
      await backend.start()
      await everythingRecorded()
      await healthy()
    })
  }
  t.ok([...counted.entries()].every(([index, times]) => times === 1 || index === TIMED_OUT), 'nothing ran twice')

  async function isUnavailable(t: Test, path: string, code: string): Promise<void> {
    const answer = await inTime(t, `${path} answers`, 2000, () => get(path))
    t.equal(answer.statusCode, 503, path)
    t.match(answer.json<Problem>(), { code, status: 503 }, `${path} names the store`)
    t.match(answer.headers['retry-after'], /^\d+$/)
  }
}

/** Enqueued while the broker hangs: the caller is refused, but it may run once the broker continues. */
const TIMED_OUT = -1

function ownOf(counted: ReadonlyMap<number, number>): number {
  return [...counted.keys()].filter(index => index !== TIMED_OUT).length
}
