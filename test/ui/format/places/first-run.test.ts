import t from 'tap'
import { firstRunSteps } from '../../../../ui/src/format/places/first-run.ts'

t.test('an app in which nothing has run shows what is still missing', async t => {
  const executions = { pending: 0, running: 0, success: 0, failed: 0 }
  const done = (registered_tasks: number, active_workers: number | null) =>
    firstRunSteps({ registered_tasks, active_workers, total_tasks: 0, executions })?.map(({ isDone }) => isDone)
  t.same(done(0, 0), [false, false, false])
  t.same(done(2, 1), [true, true, false])
  t.same(done(2, null), [true, null, false], 'what is not known is not called missing')
  const waiting = firstRunSteps({ registered_tasks: 1, active_workers: 1, total_tasks: 0, executions: { ...executions, pending: 1 } })
  t.equal(waiting?.[2]?.code, null, 'it is enqueued already')
  t.equal(firstRunSteps({ registered_tasks: 1, active_workers: 1, total_tasks: 1, executions }), null)
})
