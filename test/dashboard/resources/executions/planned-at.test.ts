import t from 'tap'
import { plannedTimeOf } from '../../../../lib/execution.ts'
import { sampleQueueApp } from '../../sample-queue-app.ts'
import { toExecution } from '../../../../lib/dashboard/resources/executions/to-execution.ts'

t.test('an execution says when its schedule planned it', async t => {
  const sample = (await sampleQueueApp().monitoring.execution('e-1'))!
  const of = (executionId: string, scheduleId: string | null): string | null =>
    toExecution({ ...sample, executionId, scheduleId }).planned_at
  t.equal(of('repeat:s-1:1763629200000', 's-1'), '2025-11-20T09:00:00.000Z')
  t.equal(of('repeat:a:b\nc:1763629200000', 'a:b\nc'), '2025-11-20T09:00:00.000Z')
  t.equal(of('0197f1c0-0000-7000-8000-000000000000', 's-1'), null, 'someone started it')
  t.equal(of('repeat:s-1:1763629200000', null), null, 'its id only looks like that of a planned run')
  t.equal(of('repeat:s-1:9999999999999999', 's-1'), null, 'no date')
  t.equal(plannedTimeOf('repeat:s-1:'), null)
})
