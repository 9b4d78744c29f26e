import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin } from '../../../../lib/index.ts'
import { sampleQueueApp } from '../../sample-queue-app.ts'

t.test('a number that is too large for a double is refused like any other number out of range', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { queueApp: sampleQueueApp(), access: 'host' })
  for (const path of [
    '/api/executions?limit=1e999', '/api/failures?limit=1e999', '/api/executions?min_duration_ms=1e999', '/api/schedules?limit=-1e999',
    '/api/schedules/preview?interval_ms=1e999'
  ]) {
    t.equal((await app.inject(path)).statusCode, 400, path)
  }
  const post = (payload: string) =>
    app.inject({ method: 'POST', url: '/api/schedules/interval', headers: { 'content-type': 'application/json' }, payload })
  t.equal((await post('{"task_name":"email:send","interval_ms":1e999}')).statusCode, 400)
  t.equal((await post('{"task_name":"email:send","interval_ms":60000,"priority":1e999}')).statusCode, 400)
  t.equal((await post('{"task_name":"email:send","interval_ms":60000,"jitter_ms":1e999}')).statusCode, 400)
})

t.test('dashboards in one process share their compiled schemas, and respond independently', async t => {
  const apps = ['/one', '/two'].map(prefix => ({ prefix, app: Fastify() }))
  for (const { prefix, app } of apps) {
    t.teardown(() => app.close())
    await app.register(dashboardPlugin, { prefix, queueApp: sampleQueueApp(), access: 'host' })
  }
  const answers = await Promise.all(apps.flatMap(({ prefix, app }) => [
    app.inject(`${prefix}/api/executions?limit=2`),
    app.inject(`${prefix}/api/executions?limit=two`),
    app.inject({ method: 'POST', url: `${prefix}/api/schedules/interval`, payload: { task_name: 'email:send', interval_ms: '60000' } })
  ]))
  t.same(answers.map(({ statusCode }) => statusCode), [200, 400, 400, 200, 400, 400], 'only a query is converted from text')
  const pointers = answers.map(answer => answer.json<{ errors?: Array<{ pointer: string }> }>().errors?.map(({ pointer }) => pointer))
  t.same(pointers, [undefined, ['limit'], ['/interval_ms'], undefined, ['limit'], ['/interval_ms']])
})
