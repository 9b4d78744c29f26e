import pg from 'pg'
import t from 'tap'
import { createPostgresServer } from '../../support/servers/postgres-server.ts'
import { startPostgres } from '../../support/servers/stores.ts'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { waitFor } from '../../support/wait-for.ts'
import { testFailovers } from './failover.ts'

t.test('everything recovers when a PostgreSQL becomes a standby and the address moves', { timeout: 150_000 }, async t => {
  const primary = await startPostgres(t, { settings: { wal_keep_size: '128' } })
  const proxy = await startTcpProxy(t, primary.url)
  const startStandby = async () => {
    const server = await createPostgresServer({ standbyOf: primary.url })
    t.teardown(server.remove)
    return server
  }
  const promoted = await startStandby()
  const stale = await startStandby()
  await testFailovers(t, {
    url: proxy.url,
    async demote() {
      // Connections to the old primary break. New ones reach a standby, as if the server had been restarted as one.
      await onServer(primary.url, async client => {
        await client.query('ALTER SYSTEM SET default_transaction_read_only = on')
        await client.query('SELECT pg_reload_conf()')
      })
      await waitFor('writes to end', () => onServer(primary.url, async client => {
        const { rows } = await client.query(
          "SELECT count(*)::int AS writing FROM pg_stat_activity WHERE state <> 'idle' AND backend_type = 'client backend' " +
            'AND pid <> pg_backend_pid()'
        )
        return rows[0].writing === 0
      }))
      const { rows: [{ lsn }] } = await onServer(primary.url, client => client.query('SELECT pg_current_wal_flush_lsn() AS lsn'))
      await waitFor('the standbys to catch up', async () => {
        const caught = await Promise.all([promoted, stale].map(server =>
          onServer(server.url, client => client.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS caught', [lsn]))))
        return caught.every(({ rows }) => rows[0].caught)
      })
      proxy.moveTo(stale.url)
      await primary.kill()
    },
    async move() {
      await onServer(promoted.url, client => client.query('SELECT pg_promote()'))
      proxy.moveTo(promoted.url)
    },
    connections: () => proxy.connections
  }, 1)
})

async function onServer<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
