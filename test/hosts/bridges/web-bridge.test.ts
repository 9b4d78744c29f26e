import { getEventListeners, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { getUrls, type HostOptions } from '../../../lib/index.ts'
import { sampleQueueApp } from '../../dashboard/sample-queue-app.ts'
import { waitFor } from '../../support/wait-for.ts'

const ADDRESS = 'http://localhost/probe'

/** A route that writes to Node's response itself, called with Web requests. */
function probe(answer: (raw: ServerResponse, request: IncomingMessage) => void) {
  return handlerOf((request, reply) => {
    reply.hijack()
    answer(reply.raw, request.raw)
  })
}

function handlerOf(handler: (request: FastifyRequest, reply: FastifyReply) => unknown) {
  const configure: HostOptions['configure'] = app => { app.route({ method: ['GET', 'HEAD', 'POST', 'DELETE'], url: '/probe', handler }) }
  return getUrls(sampleQueueApp(), { access: 'host', configure })[0]!.handler
}

t.test('writeHead accepts an object, pairs, or a flat list, with or without a reason', async t => {
  const forms: Array<(raw: ServerResponse) => unknown> = [
    raw => raw.writeHead(201, { 'X-One': 'a', 'X-Two': ['b', 'c'] }),
    raw => raw.writeHead(201, 'Made', { 'x-one': 'a', 'x-two': ['b', 'c'] }),
    raw => raw.writeHead(201, [['X-One', 'a'], ['X-Two', ['b', 'c']]] as never),
    raw => raw.writeHead(201, ['X-One', 'a', 'X-Two', ['b', 'c']] as never),
    raw => raw.setHeader('X-One', 'replaced').setHeader('X-Two', ['b', 'c']).writeHead(201, { 'x-one': 'a' }),
    raw => { raw.statusCode = 201; raw.setHeader('X-One', 'a').setHeader('X-Two', ['b', 'c']).flushHeaders() }
  ]
  for (const [index, form] of forms.entries()) {
    const answer = await probe(raw => { form(raw); raw.end('body') })(new Request(ADDRESS))
    t.match(
      { status: answer.status, one: answer.headers.get('x-one'), two: answer.headers.get('x-two') }, { status: 201, one: 'a', two: 'b, c' },
      `form ${index}`
    )
    t.equal(await answer.text(), 'body', `form ${index}`)
  }
})

t.test('cookies stay separate, and headers of one connection are left out', async t => {
  const answer = await probe(raw =>
    raw.writeHead(200, {
      'set-cookie': ['a=1', 'b=2'], connection: 'close', 'keep-alive': 'timeout=5', 'transfer-encoding': 'chunked'
    }).end())(new Request(ADDRESS))
  t.same(answer.headers.getSetCookie(), ['a=1', 'b=2'])
  for (const name of ['connection', 'keep-alive', 'transfer-encoding']) t.notOk(answer.headers.has(name), name)
})

t.test('writing the head twice is refused, as in Node', async t => {
  const answer = await probe(raw => {
    raw.writeHead(200)
    t.throws(() => raw.writeHead(500), { code: 'ERR_HTTP_HEADERS_SENT' })
    t.throws(() => raw.setHeader('x-late', '1'), { code: 'ERR_HTTP_HEADERS_SENT' })
    raw.end()
  })(new Request(ADDRESS))
  t.equal(answer.status, 200)
})

t.test('a writer waits for a slow reader and continues when the reader has caught up', async t => {
  const PIECE = Buffer.alloc(16 * 1024, 'x')
  let written = 0
  const answer = await probe(raw => {
    const write = async (): Promise<void> => {
      while (written < 20) {
        written++
        if (!raw.write(PIECE)) await once(raw, 'drain')
      }
      raw.end()
    }
    void write()
  })(new Request(ADDRESS))
  await new Promise(resolve => setTimeout(resolve, 50))
  t.ok(written <= 3, `${written} pieces were written before the reader began`)
  t.equal((await answer.arrayBuffer()).byteLength, 20 * PIECE.length)
})

t.test('writes with callbacks, encodings and empty chunks arrive as written', async t => {
  const calls: string[] = []
  const answer = await probe(raw => {
    raw.write('6869', 'hex', () => calls.push('first'))
    raw.write('', () => calls.push('empty'))
    raw.write(new Uint8Array([33]))
    raw.end('Pw==', 'base64', () => calls.push('end'))
  })(new Request(ADDRESS))
  t.equal(await answer.text(), 'hi!?')
  await waitFor('the callbacks', async () => calls.length === 3)
  t.same(calls, ['first', 'empty', 'end'])
})

t.test('a HEAD has the headers of the GET and no body, whether written at once or in pieces', async t => {
  const handler = probe(raw => {
    raw.writeHead(200, { 'content-length': 10, etag: '"1"' })
    raw.write('12345')
    raw.end('67890')
  })
  const answer = await handler(new Request(ADDRESS, { method: 'HEAD' }))
  t.match(
    { status: answer.status, body: answer.body, length: answer.headers.get('content-length'), etag: answer.headers.get('etag') },
    { status: 200, body: null, length: '10', etag: '"1"' }
  )
  for (const status of [204, 304]) t.equal((await probe(raw => raw.writeHead(status).end())(new Request(ADDRESS))).body, null)
})

t.test('a request body that fails half way gives a bad request, without waiting for the rest', async t => {
  const failing = new ReadableStream({
    start(controller) { controller.enqueue(Buffer.from('{"task_name":')) },
    pull(controller) { controller.error(new Error('the line broke')) }
  })
  const { handler } = getUrls(sampleQueueApp(), { access: 'host' })[0]!
  const request = new Request('http://localhost/api/schedules/cron', {
    method: 'POST', body: failing, duplex: 'half', headers: { 'content-type': 'application/json' }
  })
  const answer = await (await handler(request)).text()
  t.match(JSON.parse(answer), { status: 400, code: 'HTTP_400', detail: /Bad Request/ })
  t.notMatch(answer, 'the line broke')
})

t.test('an aborted write does not begin, and an aborted read stops', async t => {
  let begun = 0
  let closed = 0
  const handler = handlerOf((_request, reply) => {
    begun++
    reply.hijack()
    reply.raw.once('close', () => { closed++ })
  })
  t.equal((await handler(new Request(ADDRESS, { method: 'POST', signal: AbortSignal.abort() }))).status, 499)
  t.equal(begun, 0)
  t.equal((await handler(new Request(ADDRESS, { signal: AbortSignal.abort() }))).status, 499)
  await waitFor('the read to stop', async () => closed === begun)
})

t.test('no listener or timer is left once a response is complete, cancelled or aborted', async t => {
  const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout' || kind === 'Immediate').length
  const before = timers()
  const leaving = new AbortController()
  let raw!: ServerResponse
  const stream = probe(given => { raw = given; given.writeHead(200); given.write('1') })

  const requests = (method: string) => new Request(ADDRESS, { method, signal: leaving.signal })
  for (const method of ['GET', 'POST']) {
    const request = requests(method)
    const answer = await stream(request)
    await new Promise(setImmediate)
    t.equal(getEventListeners(request.signal, 'abort').length, 1, `${method}: one listener while writing`)
    const closed = once(raw, 'close')
    if (method === 'GET') raw.end()
    else await answer.body!.cancel()
    await closed
    t.equal(getEventListeners(request.signal, 'abort').length, 0, `${method}: none afterwards`)
  }
  const request = requests('GET')
  const answer = await stream(request)
  await new Promise(setImmediate)
  const closed = once(raw, 'close')
  leaving.abort()
  await closed
  t.equal(getEventListeners(request.signal, 'abort').length, 0)
  await t.rejects(answer.text())
  t.ok(raw.destroyed)
  t.equal(raw.write('late'), false, 'a late write is discarded')
  await new Promise(setImmediate)
  t.ok(timers() <= before, 'no timer is left')
})
