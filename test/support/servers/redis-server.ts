import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { findRedisServer } from './binaries.ts'
import type { Certificates } from './certificates.ts'
import { createChildServer, type TestServer } from './child-server.ts'
import { freePort } from './free-port.ts'

export interface RedisServerOptions {
  /** Keeps the data across `stop()` and `kill()`. Default true; false starts empty each time. */
  persistent?: boolean
  password?: string
  /** Accepts TLS only, and requires a client certificate where `requireClient` is set. */
  tls?: { readonly certificates: Certificates; readonly requireClient?: boolean }
  /** Default 4096. */
  databases?: number
  /** More arguments of `redis-server`, for example `['--maxmemory-policy', 'allkeys-lru']`. */
  args?: readonly string[]
}

export interface RedisServer extends TestServer {
  /** The path of its Unix socket. */
  readonly socket: string
}

/** Starts a separate Redis. `remove()` stops it and deletes its data. */
export async function createRedisServer(options: RedisServerOptions = {}): Promise<RedisServer & { remove(): Promise<void> }> {
  const command = findRedisServer()
  if (command === null) throw new Error('redis-server is not installed: apt-get install redis-server')
  const folder = await mkdtemp(join(tmpdir(), 'tasks-redis-'))
  const socket = join(folder, 'redis.sock')
  const port = await freePort()
  const { persistent = true, password, tls, databases = 4096, args = [] } = options
  const server = createChildServer({
    command,
    args: [
      ...portArguments(port, tls), '--bind', '127.0.0.1', '--dir', folder, '--unixsocket', socket, '--databases', String(databases),
      '--save', '',
      '--appendonly', persistent ? 'yes' : 'no', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction',
      ...(password === undefined ? [] : ['--requirepass', password]), ...args
    ],
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    isReady: () => answersPing(port, tls?.certificates)
  })
  await server.start()
  const credentials = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  return {
    ...server,
    port,
    socket,
    url: `${tls === undefined ? 'redis' : 'rediss'}://${credentials}127.0.0.1:${port}`,
    async remove() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function portArguments(port: number, tls: RedisServerOptions['tls']): string[] {
  if (tls === undefined) return ['--port', String(port)]
  const { files } = tls.certificates
  return [
    '--port', '0', '--tls-port', String(port), '--tls-replication', 'yes', '--tls-cert-file', files.serverCert, '--tls-key-file',
    files.serverKey, '--tls-ca-cert-file', files.ca,
    '--tls-auth-clients', tls.requireClient === true ? 'yes' : 'optional'
  ]
}

// "-LOADING" is also a response, but means not ready yet.
function answersPing(port: number, certificates?: Certificates): Promise<boolean> {
  return new Promise(resolve => {
    const socket = certificates === undefined
      ? connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
      : connectTls(
        { port, host: '127.0.0.1', ca: certificates.ca, cert: certificates.client.cert, key: certificates.client.key },
        () => socket.write('PING\r\n')
      )
    const finish = (ready: boolean): void => { socket.destroy(); resolve(ready) }
    socket.setTimeout(1000, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('data', data => finish(/^(\+PONG|-NOAUTH)/.test(data.toString())))
  })
}
