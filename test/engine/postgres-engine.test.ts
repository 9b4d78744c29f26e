import t from 'tap'
import { testEngine } from '../contracts/engine.ts'
import { enqueue, startEngine, work } from '../contracts/engine-work.ts'
import { testOutage } from '../contracts/engine-outage.ts'
import { inBatches } from '../support/in-batches.ts'
import { postgresUrl, startPostgres } from '../support/servers/stores.ts'

t.test('the engine keeps its contract on PostgreSQL', async t => testEngine(t, postgresUrl))
t.test('the engine survives an outage of PostgreSQL', async t => testOutage(t, startPostgres))

t.test('more tasks run in a process than it has connections', async t => {
  const { engine } = await startEngine(t, await postgresUrl(t))
  const workers = Array.from({ length: 30 }, (_, index) => work(t, engine, { run: async () => index }))
  const ids = await inBatches(workers, 10, ({ taskName }) => enqueue(engine, taskName))
  const executions = await Promise.all(workers.map((worker, index) => worker.finished(ids[index]!)))
  t.same(executions.map(({ result }) => result), workers.map((_worker, index) => index))
})
