import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin } from '../../../../lib/index.ts'
import { sampleQueueApp } from '../../sample-queue-app.ts'

t.test('a number too large for a double is refused like any other out of range', async t => {
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
