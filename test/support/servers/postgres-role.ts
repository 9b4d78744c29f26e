import pg from 'pg'
import type { Test } from 'tap'

/** Creates a user without rights, which is removed when the test ends. @returns its name, and its URL of the database */
export async function createRole(t: Test, url: string): Promise<{ readonly role: string; readonly asRole: string }> {
  const role = `reader_${new URL(url).pathname.slice(1)}`
  const run = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client(url)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
  t.teardown(() => run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`))
  return { role, asRole: Object.assign(new URL(url), { username: role, password: 'secret' }).toString() }
}
