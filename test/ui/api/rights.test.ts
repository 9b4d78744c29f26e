import t from 'tap'
import { isRefused, noteActions } from '../../../ui/src/api/rights.ts'

t.test('a read counts as refused only if the session says so', async t => {
  t.notOk(isRefused('api/stats'), 'nothing is known')
  noteActions(['tasks:view', 'schedules:view'])
  for (const path of ['api/stats', 'api/timeseries', 'api/executions', 'api/failures', 'api/queues', 'api/search/completions?search=a'])
    t.ok(isRefused(path), path)
  for (const path of ['api/tasks', 'api/schedules', 'api/schedules/agenda', 'api/health', 'api/session', 'api/openapi.json'])
    t.notOk(isRefused(path), path)
  for (const path of ['api/executions/e-1', 'api/executions/e-1/why', 'api/bulk/b-1/items'])
    t.notOk(isRefused(path), `${path}: the host may decide otherwise about one`)
  t.notOk(isRefused('api/executions', { schedule_id: 's-1' }))
  t.ok(isRefused('api/executions', { schedule_id: null, status: 'failed' }))

  t.notOk(isRefused('api/executions', { task_name: 'a:b' }), 'nothing is known of the task')
  noteActions(['tasks:view'], 'a:b')
  t.ok(isRefused('api/executions', { task_name: 'a:b' }))
  t.notOk(isRefused('api/tasks/a%3Ab'))
  noteActions([], 'a:b')
  t.ok(isRefused('api/tasks/a%3Ab'))
  t.notOk(isRefused('api/tasks'))
})
