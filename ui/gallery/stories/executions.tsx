import type { Execution, ExecutionStatus } from '../../../schemas/index.ts'
import { ArgumentsTable } from '../../src/components/executions/arguments-table.tsx'
import { Attempt, IsObserving } from '../../src/components/executions/attempt.tsx'
import { Payload } from '../../src/components/executions/execution-attempts.tsx'
import { ErrorLine, Took, Waited } from '../../src/components/executions/execution-cells.tsx'
import { ExecutionError } from '../../src/components/executions/execution-error.tsx'
import { ExecutionFacts } from '../../src/components/executions/execution-facts.tsx'
import { ExecutionList } from '../../src/components/executions/execution-list.tsx'
import { ExecutionLog } from '../../src/components/executions/execution-log.tsx'
import { ExecutionProgress } from '../../src/components/executions/execution-progress.tsx'
import { HistoryFilters } from '../../src/components/executions/history-filters.tsx'
import { JobFacts } from '../../src/components/executions/job-facts.tsx'
import { RetriedMark } from '../../src/components/executions/retried-mark.tsx'
import { RunList } from '../../src/components/executions/run-list.tsx'
import { StackView } from '../../src/components/executions/stack-view.tsx'
import { StatusFilter } from '../../src/components/executions/status-filter.tsx'
import { Waterfall } from '../../src/components/executions/waterfall.tsx'
import { WhyFacts } from '../../src/components/executions/why-facts.tsx'
import { ago, HOSTILE, LONG, timeline } from '../samples/frame.ts'
import {
  execution, executionDetail, executions, hostileDetail, hostileExecution, job, partialExecution, preview, whyFacts
} from '../samples/executions.ts'
import { AttemptsAndTimeline } from './execution-story.tsx'
import { never, nothing, nowhere, type Stories } from './story.ts'

const NO_KEYS: ReadonlySet<string> = new Set()
const list = {
  openId: null, movedOn: NO_KEYS, href: nowhere, order: null, orderHref: nowhere, onEnd: nothing, onHold: nothing, selection: null
}
const counts = Object.fromEntries((['all', 'pending', 'running', 'success', 'failed', 'cancelled'] as const).map((status, index) =>
  [status, { value: index * 1_204, relation: index === 3 ? 'at_least' : 'exact' }])) as unknown as
  Record<ExecutionStatus | 'all', { value: number; relation: 'exact' | 'at_least' }>
const uncounted = { ...counts, all: undefined, failed: undefined }
const filter = {
  status: null, taskName: null, scheduleId: null, range: null, workerId: null, errorGroup: null, minDurationMs: null, search: null,
  order: null
}
const filters = { filter, counts, stale: null, taskNames: ['billing:charge'], groupName: null, href: nowhere, onChange: nothing }
const error = executionDetail.error!
const stack = Array.from({ length: 12 }, (_, line) =>
  `    at step${line} (/app/${line % 3 === 0 ? 'orders' : 'node_modules/pg/lib'}.js:${line}:7)`).join('\n')
const retried = (status: ExecutionStatus): Pick<Execution, 'retry'> => ({ retry: { execution_id: 'e-9', status } })

export const executionStories: Stories = {
  'An execution': [
    { state: 'ready', words: 'failed for good', show: () => <AttemptsAndTimeline isHostile={false} /> },
    { state: 'hostile', show: () => <AttemptsAndTimeline isHostile /> }
  ],
  'List of executions': [
    {
      state: 'ready', words: 'one of each status', show: () => <ExecutionList {...list} executions={executions} total={executions.length} />
    },
    {
      state: 'partial', words: 'selected, and one that moved on',
      show: () => <ExecutionList
        {...list} executions={executions} total={null} openId="e-3" movedOn={new Set(['e-2'])}
        selection={{ keys: new Set(['e-1']), toggle: nothing, clear: nothing }}
      />
    },
    { state: 'hostile', show: () => <ExecutionList {...list} executions={[hostileExecution]} total={1} /> }
  ],
  'Filters of the history': [
    { state: 'ready', show: () => <HistoryFilters {...filters} /> },
    { state: 'loading', words: 'some counts are not known', show: () => <HistoryFilters {...filters} counts={uncounted} taskNames={[]} /> },
    {
      state: 'hostile',
      show: () => <HistoryFilters {...filters} groupName={HOSTILE} filter={{ ...filter, taskName: LONG, workerId: HOSTILE,
        errorGroup: 'g1', search: HOSTILE }} />
    }
  ],
  'Executions by status': [
    { state: 'ready', show: () => <StatusFilter current="failed" counts={counts} stale={null} href={nowhere} /> },
    { state: 'stale', show: () => <StatusFilter current={null} counts={uncounted} stale="from 03:12" href={nowhere} /> }
  ],
  'Facts of an execution': [
    { state: 'ready', show: () => <ExecutionFacts execution={executionDetail} auditHref="/audit" href={nowhere} /> },
    {
      state: 'partial', words: 'told by events alone',
      show: () => <ExecutionFacts execution={partialExecution} auditHref={null} href={nowhere} />
    },
    { state: 'hostile', show: () => <ExecutionFacts execution={hostileDetail} auditHref={null} href={nowhere} /> }
  ],
  'An error': [
    {
      state: 'ready', show: () => <ExecutionError
        error={{ ...error, stack: `TimeoutError: gave up\n${stack}` }} isCut={never} alike={<p>1,203 others like this</p>}
      />
    },
    {
      state: 'partial', words: 'without its stack',
      show: () => <ExecutionError error={{ ...error, stack: null }} isCut={() => true} alike={null} />
    },
    { state: 'hostile', show: () => <ExecutionError error={{ type: HOSTILE, message: LONG, stack: HOSTILE }} isCut={never} alike={null} /> }
  ],
  'A stack': [
    { state: 'ready', show: () => <StackView label="Stack" head="TimeoutError: gave up" text={stack} /> },
    { state: 'huge', show: () => <StackView label="Stack" text={`${stack}\n`.repeat(100)} /> },
    { state: 'hostile', show: () => <StackView label="Stack" text={HOSTILE} /> }
  ],
  'Error, wait and duration in a row': [
    {
      state: 'ready',
      show: () => <p>
        <ErrorLine error={{ type: 'TimeoutError', message: 'gave up' }} /> <Waited execution={execution} /> <Took execution={execution} />
      </p>
    },
    { state: 'partial', words: 'running', show: () => <p><Waited execution={executions[2]!} /> <Took execution={executions[2]!} /></p> },
    { state: 'hostile', show: () => <p className="wrap"><ErrorLine error={{ type: HOSTILE, message: LONG }} /></p> }
  ],
  'Number of the attempt': [
    { state: 'ready', show: () => <Attempt execution={{ attempt: 2, max_attempts: 3 }} /> },
    {
      state: 'partial', words: 'of other code',
      show: () => <IsObserving.Provider value><Attempt execution={{ attempt: 3, max_attempts: 3 }} /></IsObserving.Provider>
    }
  ],
  'Retried mark': (['pending', 'running', 'success', 'failed', 'cancelled'] as const).map((status, index) => ({
    state: (['ready', 'loading', 'stale', 'error', 'empty'] as const)[index]!, words: status,
    show: () => <RetriedMark of={retried(status)} href={nowhere} />
  })),
  'What is to be read': [
    {
      state: 'ready',
      show: () => <Payload value={[{ order: 42 }]} isCut={false} label="Arguments" startLabel="The start of the arguments" />
    },
    {
      state: 'partial', words: 'cut',
      show: () => <Payload value={'[{"order":42,"lines":[{"sku'} isCut label="Arguments" startLabel="The start of the arguments" />
    }
  ],
  'What arguments have in common': [
    {
      state: 'ready', show: () => <ArgumentsTable compared={{
        compared: 20, isCut: false, common: [{ path: 'args[0].currency', value: '"EUR"' }],
        different: [{ path: 'args[0].order', values: [{ value: '42', count: 12 }, { value: undefined, count: 8 }], others: 3 }]
      }} />
    },
    { state: 'empty', show: () => <ArgumentsTable compared={{ compared: 0, isCut: false, common: [], different: [] }} /> },
    {
      state: 'hostile',
      show: () => <ArgumentsTable compared={{ compared: 2, isCut: true, common: [{ path: HOSTILE, value: LONG }], different: [] }} />
    }
  ],
  Log: [
    { state: 'ready', show: () => <ExecutionLog lines={['charging order 42', 'charged']} /> },
    { state: 'huge', show: () => <ExecutionLog lines={Array.from({ length: 1_000 }, (_, line) => `line ${line}`)} /> },
    { state: 'hostile', show: () => <ExecutionLog lines={[HOSTILE, LONG]} /> }
  ],
  Progress: [
    { state: 'ready', show: () => <ExecutionProgress execution={{ ...executionDetail, status: 'running', progress: 62 }} /> },
    {
      state: 'partial', words: 'not a number',
      show: () => <ExecutionProgress execution={{ ...executionDetail, status: 'running', progress: { step: 'charging' } }} />
    },
    {
      state: 'empty',
      show: () => <ExecutionProgress execution={{ ...executionDetail, status: 'running', started_at: ago(5), progress: null }} />
    }
  ],
  'Job in BullMQ': [
    { state: 'ready', show: () => <JobFacts job={job} href={nowhere} /> },
    {
      state: 'partial', words: 'children cannot be read',
      show: () => <JobFacts job={{ ...job, children: null, children_left: null, parent: null }} href={nowhere} />
    },
    {
      state: 'hostile', show: () => <JobFacts
        job={{
          ...job, deduplication: { id: HOSTILE, held: null, held_until: null },
          parent: { ...job.parent!, key: HOSTILE, job_name: LONG }
        }}
        href={nowhere}
      />
    }
  ],
  'Next runs': [
    { state: 'ready', show: () => <RunList preview={preview} /> },
    {
      state: 'partial', words: 'with an end and jitter',
      show: () => <RunList preview={preview} endAt="2028-01-01T00:00:00.000Z" jitterMs={5_000} />
    },
    { state: 'empty', show: () => <RunList preview={{ ...preview, runs: [] }} /> }
  ],
  Waterfall: [
    { state: 'ready', show: () => <Waterfall events={timeline} /> },
    { state: 'empty', words: 'only submitted', show: () => <Waterfall events={timeline.slice(0, 1)} /> }
  ],
  'Why it is not running': [
    { state: 'ready', show: () => <WhyFacts facts={whyFacts} execution={execution} may={() => true} /> },
    {
      state: 'forbidden', words: 'no page may be opened',
      show: () => <WhyFacts facts={whyFacts.slice(0, 3)} execution={execution} may={never} />
    },
    {
      state: 'hostile', show: () => <WhyFacts
        facts={[{ kind: 'paused', pause: { since: null, by: HOSTILE, reason: LONG,
          until: null } }]} execution={hostileExecution} may={() => true}
      />
    }
  ]
}
