import pg from 'pg'
import t from 'tap'
import { startPostgres } from '../../support/servers/stores.ts'
import { testRightsTakenAway, testWorkersRefused } from './store-refused.ts'

t.test('losing rights of its PostgreSQL role neither changes outcomes nor asks callers to retry', { timeout: 240_000 }, async t => {
  const server = await startPostgres(t)
  const admin = new pg.Client(server.url)
  await admin.connect()
  t.teardown(() => admin.end())
  await admin.query('CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app')
  const schemas = 'tasks, tasks_queue'
  await testRightsTakenAway(t, server.url.replace('tasks@', 'app@'), [
    {
      name: 'tables',
      take: () => admin.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schemas} FROM app`),
      giveBack: () => admin.query(`GRANT ALL ON ALL TABLES IN SCHEMA ${schemas} TO app`),
      reason: /its user lacks a right/, takesReads: true
    },
    {
      name: 'schemas',
      take: () => admin.query(`REVOKE ALL ON SCHEMA ${schemas} FROM app`),
      giveBack: () => admin.query(`GRANT ALL ON SCHEMA ${schemas} TO app`),
      reason: /its user lacks a right|is missing/, takesReads: true
    },
    {
      name: 'a renamed schema',
      take: () => admin.query('ALTER SCHEMA tasks_queue RENAME TO away'),
      giveBack: () => admin.query('ALTER SCHEMA away RENAME TO tasks_queue'),
      reason: /is missing/, takesReads: true
    }
  ])
  await t.test('health names missing rights', t => testWorkersRefused(t, server.url.replace('tasks@', 'app@'), [{
    name: 'to change rows',
    take: () => admin.query('REVOKE UPDATE ON tasks_queue.job FROM app'),
    giveBack: () => admin.query('GRANT UPDATE ON tasks_queue.job TO app'),
    reason: /: its user lacks UPDATE on table "tasks_queue"\.job$/
  }]))
})
