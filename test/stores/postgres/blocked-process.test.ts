import { Client } from 'pg'
import t from 'tap'
import { inspectServer } from '../../../lib/stores/postgres/checks/inspect-server.ts'
import type { ConnectionPool } from '../../../lib/stores/postgres/pool/connection-pool.ts'
import { openListener } from '../../../lib/stores/postgres/pool/open-listener.ts'
import { blockProcess } from '../../support/block-process.ts'
import { postgresUrl } from '../../support/servers/stores.ts'

/** A client whose process is blocked after each statement that it sends. */
function blockedClient(ms: number): typeof Client {
  class BlockedClient extends Client {
    override query(...given: unknown[]): never {
      const response = (super.query as (...given: unknown[]) => unknown).apply(this, given)
      setImmediate(() => blockProcess(ms))
      return response as never
    }
  }
  return BlockedClient
}

t.test('a process that is blocked while it starts finds its server all the same', async t => {
  const client = new (blockedClient(800))(await postgresUrl(t))
  t.teardown(() => client.end())
  await client.connect()
  const connections = { take: async () => ({ client, release() {} }) } as unknown as ConnectionPool
  const { version, isPooled } = await inspectServer(connections, () => 500)
  t.ok(version >= 130_000)
  t.notOk(isPooled)
})

t.test('a process that is blocked while it opens its listener has one all the same', async t => {
  const listener = await openListener(blockedClient(3_300), { connectionString: await postgresUrl(t) })
  t.ok(listener)
  listener?.release()
})
