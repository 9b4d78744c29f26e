import t from 'tap'
import type { Execution } from '../../../../schemas/index.ts'
import {
  actionsFor, actionsForStatuses, filterWords, matchesHref, selectionFilter, toBulkFilter
} from '../../../../ui/src/format/bulk/bulk-filter.ts'
import { everyExecution } from '../../../../ui/src/format/executions/execution-filter.ts'
import { lastOf, readTimeRange } from '../../../../ui/src/format/time/time-range.ts'

const NOW = Date.parse('2026-11-20T12:00:30Z')

t.test('each list offers the actions that its executions allow', async t => {
  t.same(actionsFor(everyExecution), ['retry', 'cancel', 'resolve', 'delete'])
  t.same(actionsFor({ ...everyExecution, status: 'running' }), ['cancel'])
  t.same(actionsFor({ ...everyExecution, status: 'cancelled' }), ['delete'])
  t.same(actionsFor({ ...everyExecution, status: 'failed', search: 'timeout' }), ['retry', 'delete'], 'a group is resolved as a whole')
})

t.test('a filter goes to the server and back into an address', async t => {
  const filter = toBulkFilter({ ...everyExecution, status: 'failed', taskName: '<a&b>', range: lastOf('1h') }, NOW)
  t.same(filter, { status: 'failed', task_name: '<a&b>', from: '2026-11-20T11:00:00.000Z' })
  t.equal(matchesHref(filter, 'retry', NOW), '/executions?status=failed&task=%3Ca%26b%3E&from=2026-11-20T11%3A00Z')
  t.equal(matchesHref({}, 'retry', NOW), '/executions?status=failed', 'only failed ones are retried')
  t.equal(matchesHref({}, 'delete', NOW), '/executions')
})

t.test('a filter without a start is not described as everything, and does not open everything', async t => {
  const filter = { to: '2026-11-18T09:30:00.000Z' }
  t.match(filterWords(filter, NOW), /^until 18 Nov, \d\d:\d\d$/)
  t.match(filterWords({ ...filter, from: '2026-11-17T09:30:00.000Z' }, NOW), / to /)
  t.equal(filterWords({}, NOW), 'everything')
  const address = new URL(matchesHref(filter, 'delete', NOW)!, 'http://localhost').searchParams
  const { range, problem } = readTimeRange({ range: null, from: address.get('from'), to: address.get('to') }, null, NOW + 60_000)
  t.equal(problem, null, 'the page can show it')
  t.same(range, { kind: 'between', from: Date.parse('2025-11-20T12:00:00Z'), to: Date.parse(filter.to) })
})

t.test('the filter of a selection has its executions, and the task if there is only one', async t => {
  const execution = (id: string, task: string) => ({ execution_id: id, task_name: task }) as Execution
  t.same(selectionFilter([execution('1', 'a'), execution('2', 'a')]), { task_name: 'a', execution_ids: ['1', '2'] })
  const filter = selectionFilter([execution('1', 'a'), execution('2', 'b')])
  t.same(filter, { execution_ids: ['1', '2'] })
  t.equal(filterWords(filter, NOW), '2 selected executions')
  t.equal(matchesHref(filter, 'retry', NOW), null, 'no list shows just these')
  t.same(actionsForStatuses(new Set(['failed', 'running'])), ['retry', 'cancel', 'delete'])
  t.same(actionsForStatuses(new Set(['pending'])), ['cancel'])
  t.same(actionsForStatuses(new Set(['success'])), ['delete'])
})
