import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A fake Redis that is still loading its data, as one with many gigabytes does for minutes after a crash. */
async function startLoading(t: Test, onInfo = (_socket: Socket): void => {}): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', data => {
      for (const [, command] of data.toString().toLowerCase().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        if (command === 'info') onInfo(socket)
        socket.write(answerTo(command!))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answerTo(command: string): string {
  if (command === 'client') return '+OK\r\n'
  if (command === 'hello') return '%1\r\n+server\r\n+redis\r\n'
  if (command !== 'info') return '-LOADING Redis is loading the dataset in memory\r\n'
  const text = 'redis_version:7.2.4\r\nloading:1\r\nloading_eta_seconds:90\r\n'
  return `$${text.length}\r\n${text}\r\n`
}

t.test('the error for a server that is still loading its data says so', async t => {
  const url = await startLoading(t)
  const message = /cannot be reached: it is still loading its data, which takes minutes after a crash/
  for (const queueApp of [QueueApp.fromUrls({ broker: url }), QueueApp.fromQueues({ broker: url })]) {
    await t.rejects(queueApp.start(), { code: 'STORE_UNREACHABLE', message })
    await queueApp.stop()
  }
})

t.test('a server that is loading its data is polled every second, and no longer after the app has given up', async t => {
  const askedAt = new Map<Socket, number[]>()
  const url = await startLoading(t, socket => { askedAt.set(socket, [...askedAt.get(socket) ?? [], performance.now()]) })
  const queueApp = QueueApp.fromUrls({ broker: url })
  await t.rejects(queueApp.start(), { code: 'STORE_UNREACHABLE' })
  await queueApp.stop()
  const pauses = [...askedAt.values()].flatMap(times => times.slice(1).map((time, index) => Math.round((time - times[index]!) / 1000)))
  t.ok(pauses.length > 0)
  t.same(pauses.filter(seconds => seconds !== 1), [])
  const asked = (): number => [...askedAt.values()].flat().length
  // The last request may still be on its way.
  await waitFor('its connections to end', async () => [...askedAt.keys()].every(socket => socket.destroyed))
  const before = asked()
  await sleep(2_500)
  t.equal(asked(), before)
})
