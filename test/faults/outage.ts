import fastify from 'fastify'
import type { Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import type { Health } from '../../schemas/health.ts'
import type { Problem } from '../../schemas/problem.ts'
import type { Stats } from '../../schemas/stats.ts'
import type { TestServer } from '../support/child-server.ts'
import { waitFor } from '../support/wait-for.ts'

const READS = ['/api/stats', '/api/tasks', '/api/executions', '/api/schedules', '/api/tasks/count', '/api/executions/none', '/api/executions?status=failed']

/** Broker and result backend go away and come back, one after the other, by a crash and by hanging. */
export async function testOutages(t: Test, broker: TestServer, backend: TestServer): Promise<void> {
  const errors: Error[] = []
  const queueApp = QueueApp.fromUrls({ broker: broker.url, backend: backend.url, stopGraceMs: 1000, onError: error => { errors.push(error) } })
  const counted = new Map<number, number>()
  const count = queueApp.task('count', async (index: number) => { counted.set(index, (counted.get(index) ?? 0) + 1) })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  const get = (path: string) => server.inject({ url: `/tasks${path}` })
  const health = async () => (await get('/api/health')).json<Health>()
  let enqueued = 0
  const enqueue = async (many: number) => {
    await queueApp.enqueueMany(count, Array.from({ length: many }, () => [enqueued++]))
  }
  const everythingRecorded = () => waitFor('all that was enqueued to be in the history', async () => {
    const answer = await get('/api/stats')
    return answer.statusCode === 200 && answer.json<Stats>().executions.success === enqueued
  })

  await enqueue(20)
  await everythingRecorded()

  for (const [how, goAway] of [['a crash', () => broker.kill()], ['hanging', async () => { broker.freeze() }]] as const) {
    await t.test(`the broker is away by ${how}`, async t => {
      await goAway()
      await waitFor('health to notice', async () => !(await health()).components.broker.healthy)
      t.match(await health(), { healthy: false, status: 'unhealthy', components: { broker: { healthy: false }, backend: { healthy: true } } })
      t.equal((await get('/api/health')).statusCode, 503)
      for (const path of READS) await isUnavailable(t, path, 'BROKER_UNAVAILABLE', path === '/api/executions/none' ? [404, 503] : [503])
      const started = performance.now()
      await t.rejects(queueApp.enqueue(count, [-1]), { code: 'BROKER_UNAVAILABLE' }, 'an enqueue says so')
      t.ok(performance.now() - started < 2000, 'and says it within two seconds')
      broker.thaw()
      await broker.start()
      await waitFor('health to recover', async () => (await health()).status === 'healthy')
      await enqueue(20)
      await everythingRecorded()
      t.equal(counted.size - (counted.has(-1) ? 1 : 0), enqueued, 'the workers carry on')
    })
  }

  for (const [how, goAway] of [['a crash', () => backend.kill()], ['hanging', async () => { backend.freeze() }]] as const) {
    await t.test(`the result backend is away by ${how}`, async t => {
      await goAway()
      await waitFor('health to notice', async () => !(await health()).components.backend.healthy)
      t.match(await health(), { healthy: false, status: 'unhealthy', components: { broker: { healthy: true }, backend: { healthy: false } } })
      for (const path of ['/api/stats', '/api/tasks', '/api/executions']) await isUnavailable(t, path, 'BACKEND_UNAVAILABLE', [503])
      await enqueue(20)
      await waitFor('the workers to go on without the backend', async () => [...counted.keys()].filter(index => index >= 0).length === enqueued)
      backend.thaw()
      await backend.start()
      await everythingRecorded()
      t.equal((await health()).status, 'healthy')
    })
  }
  t.ok([...counted.values()].every(times => times === 1), 'nothing ran twice')

  async function isUnavailable(t: Test, path: string, code: string, statuses: number[]): Promise<void> {
    const started = performance.now()
    const answer = await get(path)
    const took = performance.now() - started
    t.ok(took < 2000, `${path} answers within two seconds (${Math.round(took)} ms)`)
    t.ok(statuses.includes(answer.statusCode), `${path} says 503 (${answer.statusCode})`)
    if (answer.statusCode !== 503) return
    t.match(answer.json<Problem>(), { code, status: 503 }, `${path} says which`)
    t.match(answer.headers['retry-after'], /^\d+$/)
  }
}
