import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRedisServer } from './binaries.ts'
import { createChildServer, type TestServer } from './child-server.ts'
import { freePort } from './free-port.ts'

export interface RedisServerOptions {
  /** Keeps the data over `stop()` and `kill()`. Default true; false starts empty each time. */
  persistent?: boolean
  password?: string
  /** More arguments of `redis-server`, for example `['--maxmemory-policy', 'allkeys-lru']`. */
  args?: readonly string[]
}

/** Starts a Redis of our own. `remove()` stops it and deletes its data. */
export async function createRedisServer(options: RedisServerOptions = {}): Promise<TestServer & { remove(): Promise<void> }> {
  const command = findRedisServer()
  if (command === null) throw new Error('redis-server is not installed: apt-get install redis-server')
  const folder = await mkdtemp(join(tmpdir(), 'tasks-redis-'))
  const port = await freePort()
  const { persistent = true, password, args = [] } = options
  const server = createChildServer({
    command,
    args: [
      '--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--databases', '4096', '--save', '',
      '--appendonly', persistent ? 'yes' : 'no', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction',
      ...(password === undefined ? [] : ['--requirepass', password]), ...args
    ],
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    isReady: () => answersPing(port)
  })
  await server.start()
  const credentials = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  return {
    ...server,
    port,
    url: `redis://${credentials}127.0.0.1:${port}`,
    async remove() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

// "-LOADING" is an answer too, but one that means: not yet.
function answersPing(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const finish = (ready: boolean): void => { socket.destroy(); resolve(ready) }
    socket.setTimeout(1000, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('data', data => finish(/^(\+PONG|-NOAUTH)/.test(data.toString())))
  })
}
