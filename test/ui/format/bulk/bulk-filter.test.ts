import t from 'tap'
import { actionsFor, matchesHref, toBulkFilter } from '../../../../ui/src/format/bulk/bulk-filter.ts'
import { everyExecution } from '../../../../ui/src/format/executions/execution-filter.ts'
import { lastOf } from '../../../../ui/src/format/time/time-range.ts'

const NOW = Date.parse('2026-11-20T12:00:30Z')

t.test('each list offers what can be done with its executions', async t => {
  t.same(actionsFor(everyExecution), ['retry', 'cancel', 'resolve', 'delete'])
  t.same(actionsFor({ ...everyExecution, status: 'running' }), ['cancel'])
  t.same(actionsFor({ ...everyExecution, status: 'cancelled' }), ['delete'])
  t.same(actionsFor({ ...everyExecution, status: 'failed', search: 'timeout' }), ['retry', 'delete'], 'a group is resolved as a whole')
})

t.test('a filter goes to the server and back into an address', async t => {
  const filter = toBulkFilter({ ...everyExecution, status: 'failed', taskName: '<a&b>', range: lastOf('1h') }, NOW)
  t.same(filter, { status: 'failed', task_name: '<a&b>', from: '2026-11-20T11:00:00.000Z' })
  t.equal(matchesHref(filter, 'retry'), '/executions?status=failed&task=%3Ca%26b%3E&from=2026-11-20T11%3A00Z')
  t.equal(matchesHref({}, 'retry'), '/executions?status=failed', 'only failed ones are retried')
  t.equal(matchesHref({}, 'delete'), '/executions')
})
