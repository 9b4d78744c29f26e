import { ExecutionList } from '../../src/components/executions/execution-list.tsx'
import { HistoryFilters } from '../../src/components/executions/history-filters.tsx'
import { RetriedMark } from '../../src/components/executions/retried-mark.tsx'
import { StatusFilter } from '../../src/components/executions/status-filter.tsx'
import { Attempt, IsObserving } from '../../src/components/executions/attempt.tsx'
import { ErrorLine, Took, Waited } from '../../src/components/executions/execution-cells.tsx'
import { Stale } from '../../src/components/frame/states.tsx'
import type { Execution } from '../../../schemas/index.ts'
import type { ExecutionFilter } from '../../src/format/executions/execution-filter.ts'
import { failure } from '../samples/answers.ts'
import {
  execution, executions, failedExecution, hostileExecution, longExecution, pendingExecution, runningExecution
} from '../samples/executions.ts'
import { HOSTILE, LONG } from '../samples/texts.ts'
import { href, nothing, type Stories } from '../story.ts'

const exact = (value: number) => ({ value, relation: 'exact' }) as const
const counts = {
  all: exact(48_256), pending: exact(37), running: exact(6), success: exact(47_538), failed: exact(675), cancelled: exact(0)
}
const most = { value: 9_007_199_254_740_991, relation: 'at_least' } as const
const mostCounts = { all: most, pending: most, running: most, success: most, failed: most, cancelled: most }
const noCounts = { all: undefined, pending: undefined, running: undefined, success: undefined, failed: undefined, cancelled: undefined }
const noFilter: ExecutionFilter = {
  status: null, taskName: null, scheduleId: null, range: null, workerId: null, errorGroup: null, minDurationMs: null, search: null,
  order: null
}
const someFilter: ExecutionFilter = {
  ...noFilter, status: 'failed', taskName: 'billing:charge', scheduleId: 'daily', workerId: 'web-1', errorGroup: 'g1', minDurationMs: 1_000
}
const stale = <Stale failure={failure()} updatedAt={Date.now() - 90_000} />
const RETRIES = ['pending', 'running', 'success', 'failed', 'cancelled'] as const

export const executionStories: Stories = {
  'executions/attempt': [
    { state: 'ready', show: () => <Attempt execution={execution} /> },
    { state: 'unknown', words: 'of an existing queue', show: () => <IsObserving value><Attempt execution={{ attempt: 3,
      max_attempts: 1 }} /></IsObserving> },
    { state: 'huge', show: () => <Attempt execution={longExecution} /> }
  ],
  'executions/execution-cells': [
    { state: 'ready', show: () => cells(failedExecution) },
    { state: 'loading', words: 'it runs', show: () => cells(runningExecution) },
    { state: 'empty', words: 'it waits', show: () => cells(pendingExecution) },
    { state: 'huge', show: () => cells(longExecution) },
    { state: 'hostile', show: () => cells(hostileExecution) }
  ],
  'executions/execution-list': [
    { state: 'ready', show: () => list(executions) },
    { state: 'empty', show: () => list([]) },
    { state: 'partial', words: 'one is selected, one has moved on', show: () => list(executions, true) },
    { state: 'huge', show: () => list([longExecution]) },
    { state: 'hostile', show: () => list([hostileExecution]) }
  ],
  'executions/history-filters': [
    { state: 'loading', show: () => filters(noFilter, noCounts, []) },
    { state: 'ready', show: () => filters(noFilter) },
    { state: 'partial', words: 'every filter is set', show: () => filters(someFilter) },
    { state: 'stale', show: () => filters(noFilter, counts, ['billing:charge'], stale) },
    {
      state: 'huge', show: () => filters({ ...someFilter, taskName: LONG, scheduleId: LONG, workerId: LONG, errorGroup: LONG },
        mostCounts, [LONG])
    },
    { state: 'hostile', show: () => filters({ ...someFilter, taskName: HOSTILE, scheduleId: HOSTILE, workerId: HOSTILE,
      errorGroup: HOSTILE }) }
  ],
  'executions/retried-mark': [
    {
      state: 'ready', show: () => <ul className="list">
        {RETRIES.map(status => <li key={status}><RetriedMark of={{ retry: { execution_id: '0199-e7', status } }} href={href} /></li>)}
      </ul>
    },
    { state: 'empty', words: 'it was not retried: nothing', show: () => <RetriedMark of={execution} href={href} /> },
    { state: 'partial', words: 'in a list', show: () => list(executions.slice(-1)) },
    { state: 'hostile', show: () => <RetriedMark of={{ retry: { execution_id: HOSTILE, status: 'failed' } }} href={id => `/?e=${id}`} /> }
  ],
  'executions/status-filter': [
    { state: 'loading', show: () => <StatusFilter current={null} counts={noCounts} stale={null} href={href} /> },
    { state: 'ready', show: () => <StatusFilter current="failed" counts={counts} stale={null} href={href} /> },
    { state: 'stale', show: () => <StatusFilter current={null} counts={counts} stale={stale} href={href} /> },
    { state: 'huge', show: () => <StatusFilter current={null} counts={mostCounts} stale={null} href={href} /> }
  ]
}

function cells(of: Execution) {
  return <ul className="list">
    <li><Waited execution={of} /></li><li><Took execution={of} /></li>{of.error && <li><ErrorLine error={of.error} /></li>}
  </ul>
}

function list(rows: readonly Execution[], isSelectable = false) {
  const keys = new Set(rows.slice(0, 1).map(({ execution_id: id }) => id))
  return <ExecutionList
    executions={rows} total={rows.length} openId={null} movedOn={isSelectable ? new Set(rows.slice(1,
      2).map(row => row.execution_id)) : new Set()}
    href={href} order={null} orderHref={href} onEnd={nothing} onHold={nothing}
    selection={isSelectable ? { keys, toggle: nothing, clear: nothing } : null}
  />
}

function filters(
  filter: ExecutionFilter, known: Parameters<typeof HistoryFilters>[0]['counts'] = counts, names: readonly string[] = ['billing:charge'],
  note: typeof stale | null = null
) {
  return <HistoryFilters
    filter={filter} counts={known} stale={note} taskNames={names} groupName={filter.errorGroup} href={href} onChange={nothing}
  />
}
