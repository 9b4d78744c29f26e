import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { Agent as TlsAgent, request as requestTls } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { QueueApp, dashboardPlugin } from '../../../lib/index.ts'
import { createCertificates } from '../../support/servers/certificates.ts'

/** Without the dashboard, Fastify waits more than a minute for each of these connections, or for ever. */
const LONG_MS = 20_000

const queueApp = QueueApp.fromUrls()

async function listen(t: Test, host: FastifyInstance, mounts: readonly string[] = ['/tasks']): Promise<number> {
  for (const prefix of mounts) await host.register(dashboardPlugin, { prefix, queueApp, access: 'host' })
  await host.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => {
    host.server.closeAllConnections()
    return host.close()
  })
  return (host.server.address() as AddressInfo).port
}

async function tlsHost(t: Test) {
  const { files: { serverCert, serverKey } } = await createCertificates(t)
  return fastify({ https: { cert: await readFile(serverCert), key: await readFile(serverKey) } })
}

/** Adds a slow route. Resolves when it gets a request. */
function untilAsked(host: FastifyInstance): Promise<void> {
  return new Promise(resolve => {
    host.get('/slow', async () => {
      resolve()
      await sleep(1_500)
      return 'answered'
    })
  })
}

async function closes(host: FastifyInstance): Promise<boolean> {
  return await Promise.race([host.close().then(() => true), sleep(LONG_MS, false, { ref: false })])
}

t.test('a host closes although a browser has opened connections that it does not use yet', async t => {
  const host = fastify()
  const port = await listen(t, host, ['/tasks', '/other/tasks'])
  const sockets = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  t.equal(host.server.listenerCount('connection'), fastify().server.listenerCount('connection') + 1, 'watched once for both dashboards')
  t.equal(await closes(host), true)
})

t.test('a host also closes if its server was closed before', async t => {
  const host = fastify()
  const port = await listen(t, host)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  host.server.close()
  t.equal(await closes(host), true)
})

t.test('with the limit from docs/production.md, a host closes although a client never finishes its request', async t => {
  const host = fastify()
  host.addHook('preClose', async () => {
    setTimeout(() => host.server.closeAllConnections(), 200).unref()
  })
  const port = await listen(t, host)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET /tasks HTTP/1.1\r\nhost:')
  await once(socket, 'connect')
  await sleep(100)
  t.equal(await closes(host), true)
})

t.test('a TLS host closes its unused connections too', async t => {
  const host = await tlsHost(t)
  const port = await listen(t, host)
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {})
  await once(socket, 'secureConnect')
  t.equal(await closes(host), true)
})

t.test('a host with TLS closes although a client never finishes its TLS handshake', async t => {
  const host = await tlsHost(t)
  const port = await listen(t, host)
  const used = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {})
  const halfway = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => halfway.destroy())
  await Promise.all([once(used, 'secureConnect'), once(halfway, 'connect')])
  // The beginning of a record of 512 bytes.
  halfway.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]))
  await sleep(200)
  t.equal(await closes(host), true)
})

for (const isTls of [false, true]) {
  const over = isTls ? 'HTTPS' : 'HTTP'
  t.test(`a request over ${over} gets its whole response while the host closes, and its connection does not stay open`, async t => {
    const host = isTls ? await tlsHost(t) : fastify()
    const arrived = untilAsked(host)
    const port = await listen(t, host)
    const options = { port, host: '127.0.0.1', path: '/slow', headers: { connection: 'keep-alive' } }
    const agent = isTls ? new TlsAgent({ keepAlive: true, rejectUnauthorized: false }) : new Agent({ keepAlive: true })
    t.teardown(() => agent.destroy())
    const answer = new Promise<string>((resolve, reject) => {
      (isTls ? requestTls : request)({ ...options, agent }, response => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => { body += text }).on('end', () => resolve(body))
      }).on('error', reject).end()
    })
    await arrived
    t.equal(await closes(host), true)
    t.equal(await answer, 'answered')
  })
}

t.test('a long response that is being sent arrives completely', async t => {
  const host = fastify()
  const bytes = 32 * 1024 * 1024
  let ask: () => void = () => {}
  const asked = new Promise<void>(resolve => { ask = resolve })
  host.get('/long', async () => {
    ask()
    await sleep(300)
    return Buffer.alloc(bytes)
  })
  const port = await listen(t, host)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const received = new Promise<number>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/long', agent }, response => {
      let sum = 0
      response.on('data', (chunk: Buffer) => { sum += chunk.length }).on('end', () => resolve(sum)).on('error', reject)
      response.pause()
      setTimeout(() => response.resume(), 1_500)
    }).on('error', reject).end()
  })
  await asked
  t.equal(await closes(host), true)
  t.equal(await received.catch(String), bytes)
})

for (const isTls of [false, true]) {
  const over = isTls ? 'HTTP/2 with TLS' : 'HTTP/2'

  async function listenHttp2(t: Test): Promise<{
    host: FastifyInstance; client: ClientHttp2Session; port: number; arrived: Promise<void>
  }> {
    const { files: { serverCert, serverKey } } = await createCertificates(t)
    const https = { allowHTTP1: true, cert: await readFile(serverCert), key: await readFile(serverKey) }
    const host = (isTls ? fastify({ http2: true, https }) : fastify({ http2: true })) as unknown as FastifyInstance
    const arrived = untilAsked(host)
    await host.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
    await host.listen({ port: 0, host: '127.0.0.1' })
    const { port } = host.server.address() as AddressInfo
    const client = connectHttp2(`http${isTls ? 's' : ''}://127.0.0.1:${port}`, { rejectUnauthorized: false }).on('error', () => {})
    t.teardown(() => client.destroy())
    await once(client, 'connect')
    return { host, client, port, arrived }
  }

  t.test(`a host closes although a browser keeps its ${over} session open`, async t => {
    const { host, client } = await listenHttp2(t)
    const stream = client.request({ ':path': '/tasks/api/session' })
    t.match(await text(stream), /"supports"/)
    t.equal(await closes(host), true)
  })

  t.test(`a request over ${over} is answered while the host closes`, async t => {
    const { host, client, arrived } = await listenHttp2(t)
    const answer = text(client.request({ ':path': '/slow' }))
    await arrived
    t.equal(await closes(host), true)
    t.equal(await answer, 'answered')
  })

  t.test(`a host closes although a client has connected to it with ${over} and sends nothing`, async t => {
    const { host, port } = await listenHttp2(t)
    const plain = connect(port, '127.0.0.1').on('error', () => {}).resume()
    await once(plain, 'connect')
    if (isTls) {
      // A browser that speaks HTTP/1 only.
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {})
      await once(socket, 'secureConnect')
    }
    t.equal(await closes(host), true)
  })

  t.test(`a host closes although a sleeping ${over} client never ends its side of the connection`, async t => {
    const { host, port } = await listenHttp2(t)
    const sleeper = isTls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'], allowHalfOpen: true } as ConnectionOptions)
      : connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    t.teardown(() => sleeper.destroy())
    sleeper.on('error', () => {})
    await once(sleeper, isTls ? 'secureConnect' : 'connect')
    // The start of a session, without a request.
    sleeper.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])]))
    await once(sleeper, 'data')
    t.equal(await closes(host), true)
  })
}

t.test('a host with HTTP/2 closes although an HTTP/1 proxy keeps a connection whose request is completed in the meantime', async t => {
  const { files: { serverCert, serverKey } } = await createCertificates(t)
  const https = { allowHTTP1: true, cert: await readFile(serverCert), key: await readFile(serverKey) }
  const host = fastify({ http2: true, https }) as unknown as FastifyInstance
  const arrived = untilAsked(host)
  await host.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  await host.listen({ port: 0, host: '127.0.0.1' })
  const agent = new TlsAgent({ keepAlive: true, rejectUnauthorized: false })
  t.teardown(() => agent.destroy())
  const answer = new Promise<string>((resolve, reject) => {
    const { port } = host.server.address() as AddressInfo
    requestTls({ port, host: '127.0.0.1', path: '/slow', agent }, response => { resolve(text(response)) }).on('error', reject).end()
  })
  await arrived
  t.equal(await closes(host), true)
  t.equal(await answer, 'answered')
})

t.test('a host that does not listen can close', async t => {
  const host = fastify()
  await host.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  await host.ready()
  t.equal(await closes(host), true)
})
