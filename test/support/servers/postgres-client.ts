import pg from 'pg'
import type { TestScope } from './stores.ts'

/** A client of a database, closed when the test ends. Errors of its connection do not fail the test. */
export async function connectPostgres(t: TestScope, url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  return client
}
