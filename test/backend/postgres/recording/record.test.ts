import t from 'tap'
import { makeExecution } from '../../make-execution.ts'
import { openSql } from '../open-sql.ts'

const COUNT = 300

for (const [where, position] of Object.entries({ first: 0, last: COUNT - 1 })) {
  t.test(`if the ${where} execution of a batch is already recorded, the others are recorded and counted once`, async t => {
    const { store, backend } = await openSql(t)
    const executions = Array.from({ length: COUNT }, (_, i) =>
      makeExecution({ executionId: `execution ${String(i).padStart(3, '0')}`, taskName: `task ${i % 3}` }))
    t.equal(await backend.record([executions[position]!]), 1)
    t.equal(await backend.record(executions), COUNT - 1)
    t.equal(await backend.record(executions), 0, 'recording again adds nothing')

    t.match(await backend.totals(), { success: COUNT, failed: 0 })
    const { rows } = await store.query<Record<string, number>>(`SELECT
      (SELECT count(*)::int FROM "${store.schema}".executions) AS executions,
      (SELECT count(*)::int FROM "${store.schema}".execution_payloads) AS payloads,
      (SELECT sum(success)::int FROM "${store.schema}".execution_rollups WHERE span = 'day' AND task_name = '') AS days`)
    t.strictSame(rows[0], { executions: COUNT, payloads: COUNT, days: COUNT })
  })
}

t.test('a payload without its execution does not block the batch', async t => {
  const { store, backend } = await openSql(t)
  const execution = makeExecution()
  await store.query(`INSERT INTO "${store.schema}".execution_payloads (execution_id, payload) VALUES ($1, '{}')`, [execution.executionId])
  t.equal(await backend.record([execution, makeExecution()]), 2)
})
