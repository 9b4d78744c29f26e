import { once } from 'node:events'
import Fastify from 'fastify'
import t from 'tap'
import { createStreamProbe } from '../../../../lib/dashboard/resources/doctor/stream-probe.ts'
import { dashboardPlugin } from '../../../../lib/index.ts'
import { sampleQueueApp } from '../../sample-queue-app.ts'

t.test('at most five streams are open, and one whose reader left no longer counts', async t => {
  const probe = createStreamProbe()
  const read = () => probe().resume()
  const open = Array.from({ length: 5 }, read)
  await new Promise(setImmediate)
  t.throws(probe, { code: 'BUSY', statusCode: 503 })
  open[0]!.destroy()
  await once(open[0]!, 'close')
  const last = read()
  await new Promise(setImmediate)
  t.throws(probe, { code: 'BUSY' })
  for (const each of [...open.slice(1), last]) each.destroy()
})

t.test('the stream requires access, forbids buffering and ends by itself, and HEAD leaves none open', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, {
    queueApp: sampleQueueApp(), authorize: (request, action) => request.headers['x-user'] === 'ana' && action === 'doctor:view'
  })
  const ask = (method: 'GET' | 'HEAD', user = 'ana') => app.inject({ method, url: '/api/doctor/stream', headers: { 'x-user': user } })
  t.equal((await ask('GET', 'ben')).statusCode, 403)
  for (let count = 0; count < 7; count++) t.equal((await ask('HEAD')).statusCode, 200)
  const startedAt = performance.now()
  const answer = await ask('GET')
  t.match(answer.headers, { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
  t.equal(answer.payload, [1, 2, 3, 4, 5].map(piece => `data: ${piece}\n\n`).join(''))
  t.ok(performance.now() - startedAt > 700)
})
