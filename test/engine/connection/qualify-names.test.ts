import { createRequire } from 'node:module'
import { runMigrations } from 'bullmq'
import pg from 'pg'
import t from 'tap'
import { qualifyNames, readSchemaNames } from '../../../lib/engine/connection/qualify-names.ts'
import { postgresUrl } from '../../support/servers/stores.ts'

t.test('every statement of BullMQ finds its tables, functions and types without a search path', async t => {
  const client = new pg.Client(await postgresUrl(t))
  await client.connect()
  t.teardown(() => client.end())
  const schema = 'Some_queue'
  await runMigrations(client, schema)
  await client.query('SET search_path TO \'\'')
  const names = await readSchemaNames((text, parameters) => client.query(text, [...parameters ?? []]) as never, schema)
  const qualify = qualifyNames(schema, names)

  const { SQL_COMMANDS } = createRequire(import.meta.url)(
    '../../../node_modules/bullmq/dist/cjs/postgres/sql-scripts.js'
  ) as { SQL_COMMANDS: Record<string, string> }
  t.ok(Object.keys(SQL_COMMANDS).length > 80)
  const unprepared: string[] = []
  let needy = 0
  for (const [name, text] of Object.entries(SQL_COMMANDS)) {
    if (text.includes('\nLISTEN ')) continue
    await client.query(`PREPARE plain AS ${text}`).then(() => client.query('DEALLOCATE plain'), () => { needy++ })
    await client.query(`PREPARE qualified AS ${qualify(text)}`).then(
      () => client.query('DEALLOCATE qualified'), (error: Error) => { unprepared.push(`${name}: ${error.message}`) }
    )
  }
  t.same(unprepared, [])
  t.ok(needy > 80, 'most statements fail unqualified')
})

t.test("the functions of BullMQ's schema set their own search path", async t => {
  const client = new pg.Client(await postgresUrl(t))
  await client.connect()
  t.teardown(() => client.end())
  await runMigrations(client, 'some_queue')
  const { rows } = await client.query<{ proname: string }>(
    `SELECT proname FROM pg_proc WHERE pronamespace = 'some_queue'::regnamespace
      AND NOT coalesce('search_path=some_queue' = ANY(proconfig), false)
       AND NOT starts_with(proname, 'relay_') ORDER BY 1`)
  t.same(
    rows.map(({ proname }) => proname), ['job_id_seq_name', 'scheduler_every_next_millis'], 'these two use nothing of the schema'
  )
})

t.test('only names that refer to objects of the schema are qualified', async t => {
  const qualify = qualifyNames('tasks_queue', {
    relations: new Set(['job', 'event', 'meta']), functions: new Set(['clean', 'drain']), types: new Set(['job_state'])
  })
  t.equal(qualify('SELECT id, event FROM event WHERE queue = $1'), 'SELECT id, event FROM "tasks_queue".event WHERE queue = $1')
  t.equal(
    qualify('INSERT INTO meta (queue)\nSELECT $1 FROM unnest($2::text[]) AS t(f)'),
    'INSERT INTO "tasks_queue".meta (queue)\nSELECT $1 FROM unnest($2::text[]) AS t(f)'
  )
  t.equal(qualify('SELECT id FROM clean($1, $2) AS t(id)'), 'SELECT id FROM "tasks_queue".clean($1, $2) AS t(id)')
  t.equal(qualify('SELECT drain($1, state = $3::job_state)'), 'SELECT "tasks_queue".drain($1, state = $3::"tasks_queue".job_state)')
  t.equal(
    qualify('SELECT 1 FROM job j JOIN "other".job ON other.clean(job.id)'),
    'SELECT 1 FROM "tasks_queue".job j JOIN "other".job ON other.clean(job.id)'
  )
  t.equal(qualify('-- FROM job, as BullMQ\'s own\nUPDATE job SET state = $1'), '\nUPDATE "tasks_queue".job SET state = $1')
})
