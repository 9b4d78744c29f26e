import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

const LIST = '/tasks/api/tasks'

async function build(withOwn = false) {
  const app = Fastify()
  t.teardown(() => app.close())
  if (withOwn) await app.register(fastifyCompress, { encodings: ['gzip'], threshold: 0 })
  app.get('/host', () => ({ text: 'x'.repeat(10_000) }))
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp() })
  return app
}

void t.test('a response is compressed with an encoding that the client accepts', async t => {
  const app = await build()
  const plain = await app.inject(LIST)
  t.equal(plain.headers['content-encoding'], undefined)
  t.ok(plain.rawPayload.length > 1_400, 'long enough')
  for (const [accepted, encoding, decompress] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync], ['gzip', 'gzip', gunzipSync], ['br;q=0, gzip', 'gzip', gunzipSync]
  ] as const) {
    const { headers, rawPayload } = await app.inject({ url: LIST, headers: { 'accept-encoding': accepted } })
    t.equal(headers['content-encoding'], encoding, accepted)
    t.match(headers.vary, /accept-encoding/i)
    t.equal(Number(headers['content-length']), rawPayload.length)
    t.equal(decompress(rawPayload).toString(), plain.body)
    t.ok(rawPayload.length < plain.rawPayload.length / 2)
    t.equal(headers.etag, plain.headers.etag, 'a weak ETag is the same for every encoding')
  }
  for (const accepted of ['identity', 'unknown', '', 'br;q=0']) {
    const { headers, body } = await app.inject({ url: LIST, headers: { 'accept-encoding': accepted } })
    t.strictSame([headers['content-encoding'], body], [undefined, plain.body], accepted)
  }
})

void t.test('interface files are compressed, and short responses are not', async t => {
  const app = await build()
  const accepts = { 'accept-encoding': 'br' }
  const asset = /(assets\/[^"]+\.js)"/.exec((await app.inject('/tasks/')).body)![1]!
  const script = await app.inject({ url: `/tasks/${asset}`, headers: accepts })
  t.match(script.headers, {
    'content-encoding': 'br', 'content-type': /javascript/, 'cache-control': /immutable/, 'vary': /accept-encoding/i
  })
  t.equal(brotliDecompressSync(script.rawPayload).toString(), (await app.inject(`/tasks/${asset}`)).body)
  t.equal((await app.inject({ url: '/tasks/api/executions?limit=0', headers: accepts })).headers['content-encoding'], undefined)
  t.equal(
    (await app.inject({ url: LIST, headers: { ...accepts, 'if-none-match': String((await app.inject(LIST)).headers.etag) } })).statusCode,
    304
  )
  t.equal((await app.inject({ method: 'HEAD', url: LIST, headers: accepts })).statusCode, 200)
})

void t.test('a compressed request body is refused, however small', async t => {
  const app = await build()
  const { statusCode } = await app.inject({
    method: 'POST', url: '/tasks/api/schedules/cron', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: Buffer.from([0x1f, 0x8b])
  })
  t.equal(statusCode, 400)
})

void t.test('a host keeps its own compression, and ours does not apply to it', async t => {
  const hostless = await build()
  t.equal((await hostless.inject({ url: '/host', headers: { 'accept-encoding': 'br' } })).headers['content-encoding'], undefined)
  const app = await build(true)
  const { headers, rawPayload } = await app.inject({ url: LIST, headers: { 'accept-encoding': 'br, gzip' } })
  t.equal(headers['content-encoding'], 'gzip')
  t.equal(gunzipSync(rawPayload).toString(), (await hostless.inject(LIST)).body)
})
