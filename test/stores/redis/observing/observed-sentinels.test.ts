import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createChangeClient } from '../../../../lib/stores/redis/observing/change-client.ts'
import { createReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { parseRedisSource } from '../../../../lib/stores/redis/source/redis-source.ts'
import { startRedis } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

const WRITE = "return redis.call('SET', KEYS[1], ARGV[1])"

/**
 * A sentinel that names whichever primary the test wants. A real one would soon turn the old primary into a replica, which refuses writes.
 * @param protocol with 2, a connection that has subscribed cannot send other commands
 * @param maySubscribe whether its users have the right
 */
async function startSentinel(t: Test, first: number, protocol: 2 | 3, maySubscribe: boolean) {
  let port = first
  const watchers = new Set<Socket>()
  const bulk = (...words: string[]): string => `*${words.length}\r\n${words.map(word => `$${word.length}\r\n${word}\r\n`).join('')}`
  const push = protocol === 2 ? '*' : '>'
  const server = createServer(socket => {
    socket.on('error', () => {}).on('close', () => watchers.delete(socket))
    // Commands that are sent together arrive in one chunk, and each begins with the number of its words.
    socket.on('data', data => {
      for (const command of data.toString().toLowerCase().split(/^\*\d+\r\n/m).slice(1)) answer(socket, command)
    })
  })
  function answer(socket: Socket, command: string): void {
    if (command.includes('hello') && protocol === 2) return void socket.write("-ERR unknown command 'HELLO'\r\n")
    if (command.includes('get-master-addr')) {
      socket.write(bulk('127.0.0.1', String(port)))
      sentinel.asked(++times)
    } else if (!command.includes('subscribe')) socket.write('*0\r\n')
    else {
      watchers.add(socket)
      if (!maySubscribe) return void socket.write("-NOPERM User default has no permissions to run the 'subscribe' command\r\n")
      socket.write(`${push}3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n`)
    }
  }
  let times = 0
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.close() })
  const sentinel = {
    port: (server.address() as AddressInfo).port,
    watched: () => watchers.size,
    /** Called after each response with the primary, with the number of responses so far. */
    asked: (_times: number): void => {},
    switchTo(next: number): void {
      const message = `main 127.0.0.1 ${port} 127.0.0.1 ${next}`
      port = next
      for (const socket of maySubscribe ? watchers : []) socket.write(bulk('message', '+switch-master', message).replace('*', push))
    },
    /** Switches without a message to anybody. */
    switchUnheard(next: number): void {
      for (const socket of watchers) socket.destroy()
      port = next
    }
  }
  return sentinel
}

for (const [protocol, maySubscribe] of [[3, true], [2, true], [3, false]] as const) {
  const how = maySubscribe ? `told with RESP${protocol}` : 'asked for by a user that may not subscribe'
  t.test(`reads and changes go to the new primary although the old one still accepts them, ${how}`, async t => {
    const [old, next] = [await startRedis(t, { persistent: false }), await startRedis(t, { persistent: false })]
    const sentinel = await startSentinel(t, old.port, protocol, maySubscribe)
    const source = parseRedisSource({ sentinels: [{ host: '127.0.0.1', port: sentinel.port }], name: 'main' }, 'redis:', 'broker')
    const reads = createReadClient(source, () => {})
    const changes = createChangeClient(source, new Set([WRITE]), () => {})
    t.teardown(() => Promise.all([reads.stop(), changes.stop()]))
    await Promise.all([reads.start(), changes.start()])
    const contents = async (url: string): Promise<string | null> => {
      const redis = new Redis(url)
      return await redis.get('fruit').finally(() => redis.disconnect())
    }
    await changes.run(WRITE, ['fruit'], 'apple')
    t.equal(await contents(old.url), 'apple')
    await waitFor('both to watch the sentinel', async () => sentinel.watched() === 2)

    const bothAt = async (url: string, fruit: string): Promise<void> => {
      await waitFor(`a change to ${fruit} on the new primary`, async () => {
        await changes.run(WRITE, ['fruit'], fruit).catch(() => {})
        return await contents(url) === fruit
      })
      await waitFor('reads from it', async () => await reads.read('GET', 'fruit').catch(() => null) === fruit)
    }
    sentinel.switchTo(next.port)
    await bothAt(next.url, 'pear')

    await waitFor('both to watch again', async () => sentinel.watched() === 2)
    sentinel.switchUnheard(old.port)
    await bothAt(old.url, 'plum')
    await Promise.all([reads.stop(), changes.stop()])
    await waitFor('the last watcher of the sentinel to leave', async () => sentinel.watched() === 0)
  })
}

t.test('a client leaves a primary that is replaced while it connects', async t => {
  const [old, next] = [await startRedis(t, { persistent: false }), await startRedis(t, { persistent: false })]
  const sentinel = await startSentinel(t, old.port, 3, true)
  // Before the client connects, it asks for the primary twice: first all sentinels, and then the one that it follows.
  sentinel.asked = times => { if (times === 2) sentinel.switchUnheard(next.port) }
  const redis = new Redis(next.url)
  await redis.set('fruit', 'pear')
  redis.disconnect()
  const source = parseRedisSource({ sentinels: [{ host: '127.0.0.1', port: sentinel.port }], name: 'main' }, 'redis:', 'broker')
  const reads = createReadClient(source, () => {})
  t.teardown(reads.stop)
  await reads.start()
  await waitFor('reads from the new primary', async () => await reads.read('GET', 'fruit').catch(() => null) === 'pear')
})
