import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { createReadDatabase } from '../../../lib/stores/postgres/observing/read-database.ts'
import type { PostgresConnection, PostgresSource } from '../../../lib/stores/postgres/source/postgres-source.ts'
import { parseStoreSource } from '../../../lib/stores/source/parse-store-source.ts'
import { STORE_START_MS } from '../../../lib/time/budgets.ts'
import { inTime } from '../../support/in-time.ts'
import { startSlowProxy } from '../../support/network/slow-proxy.ts'
import { postgresUrl } from '../../support/servers/stores.ts'

t.test('a server that lets a client in late, and then does not answer, is one error within 5 s', async t => {
  const url = await startSilentServer(t, 3_000)
  await inTime(t, 'the error', STORE_START_MS, () => refused(t, url, /no answer in time/))
})

t.test('so is one that never lets a client in', async t => {
  const url = await startSilentServer(t, null)
  await inTime(t, 'the error', STORE_START_MS, () => refused(t, url, /no answer in time/))
  await inTime(t, 'the error with sslmode=prefer', STORE_START_MS, () => refused(t, `${url}?sslmode=prefer`, /no answer in time/))
  await inTime(t, 'the error for existing queues', STORE_START_MS, async () => {
    const database = createReadDatabase(parseStoreSource(url, 'broker') as PostgresSource, error => { throw error })
    await t.rejects(database.start(), { code: 'STORE_UNREACHABLE', message: /no answer in time/ })
    await database.stop()
  })
})

t.test('a slow directUrl that leads elsewhere is refused within 5 s too', async t => {
  const url = await postgresUrl(t)
  const elsewhere = await startSlowProxy(t, await postgresUrl(t))
  elsewhere.roundTripMs = 1_400
  await inTime(t, 'the error', STORE_START_MS, () => refused(t, { url, directUrl: elsewhere.url }, /directUrl: no answer in time/))
})

async function refused(t: Test, broker: string | PostgresConnection, message: RegExp): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker, onError() {} })
  await t.rejects(queueApp.start(), { code: 'STORE_UNREACHABLE', message })
  await queueApp.stop()
}

/** Speaks the protocol of PostgreSQL without TLS, until a client is in. @param acceptsAfterMs null: it never lets a client in */
async function startSilentServer(t: Test, acceptsAfterMs: number | null): Promise<string> {
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', data => {
      if (data.length === 8) socket.write('N')
      else if (acceptsAfterMs !== null && data.includes('user\0')) timers.add(setTimeout(() => socket.write(LET_IN), acceptsAfterMs))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    for (const timer of timers) clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return `postgres://tasks@127.0.0.1:${(server.address() as AddressInfo).port}/tasks`
}

/** The messages AuthenticationOk, BackendKeyData and ReadyForQuery. */
const LET_IN = Buffer.from('520000000800000000' + '4b0000000c0000000100000002' + '5a0000000549', 'hex')
