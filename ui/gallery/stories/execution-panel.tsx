import type { ExecutionDetail, WhyFact } from '../../../schemas/index.ts'
import { ArgumentsTable } from '../../src/components/executions/arguments-table.tsx'
import { Attempts, Payload } from '../../src/components/executions/execution-attempts.tsx'
import { ExecutionError } from '../../src/components/executions/execution-error.tsx'
import { ExecutionFacts } from '../../src/components/executions/execution-facts.tsx'
import { ExecutionLog } from '../../src/components/executions/execution-log.tsx'
import { ExecutionProgress } from '../../src/components/executions/execution-progress.tsx'
import { JobFacts } from '../../src/components/executions/job-facts.tsx'
import { RunList } from '../../src/components/executions/run-list.tsx'
import { StackView } from '../../src/components/executions/stack-view.tsx'
import { Timeline } from '../../src/components/executions/timeline.tsx'
import { Waterfall } from '../../src/components/executions/waterfall.tsx'
import { WhyFacts } from '../../src/components/executions/why-facts.tsx'
import { detail, failedDetail, hostileExecution, job, longExecution, runningDetail, timeline } from '../samples/executions.ts'
import { preview } from '../samples/schedules.ts'
import { ago, ahead, HOSTILE, LONG, UNBROKEN } from '../samples/texts.ts'
import { href, type Stories } from '../story.ts'

const hostileDetail = { ...failedDetail(HOSTILE, HOSTILE), ...hostileExecution, error: { type: HOSTILE, message: HOSTILE, stack: HOSTILE } }
const longDetail = { ...failedDetail(LONG, LONG), ...longExecution, error: { type: LONG, message: LONG, stack: `${LONG}\n`.repeat(90) } }
const { retry: _, ...hostileFacts } = hostileDetail
const { retry: __, ...longFacts } = longDetail
const unknownFacts: ExecutionDetail = {
  ...detail, job_name: 'close', worker_id: null, started_at: null, wait_ms: null, duration_ms: null,
  missing: ['args', 'logs', 'started_at', 'submitted_at', 'priority', 'max_attempts']
}
const no = (): boolean => false
const yes = (): boolean => true

export const executionPanelStories: Stories = {
  'executions/arguments-table': [
    { state: 'ready', show: () => args('order', 'a-1', false) },
    {
      state: 'empty', words: 'nothing differs',
      show: () => <ArgumentsTable compared={{ compared: 2, common: [], different: [], isCut: false }} />
    },
    { state: 'partial', words: 'some were cut', show: () => args('order', 'a-1', true) },
    { state: 'huge', show: () => args(UNBROKEN, LONG, false) },
    { state: 'hostile', show: () => args(HOSTILE, HOSTILE, false) }
  ],
  'executions/execution-attempts': [
    { state: 'ready', show: () => <Attempts execution={detail} isCut={no} /> },
    { state: 'partial', words: 'cut', show: () => <Attempts execution={detail} isCut={yes} /> },
    {
      state: 'partial', words: 'a value that was cut',
      show: () => <Payload value={'{"order":4'} isCut label="Result" startLabel="Its start" />
    },
    { state: 'unknown', words: 'attempts that no one saw', show: () => <Attempts execution={{ ...detail, attempts: [] }} isCut={no} /> },
    { state: 'huge', show: () => <Attempts execution={longFacts} isCut={no} /> },
    { state: 'hostile', show: () => <Attempts execution={hostileFacts} isCut={yes} /> }
  ],
  'executions/execution-error': [
    { state: 'ready', show: () => <ExecutionError error={detail.error!} isCut={no} alike={<a href="#alike">1,204 like it</a>} /> },
    { state: 'unknown', words: 'no stack', show: () => <ExecutionError error={{ ...detail.error!,
      stack: null }} isCut={no} alike={null} /> },
    { state: 'partial', words: 'cut', show: () => <ExecutionError error={detail.error!} isCut={yes} alike={null} /> },
    { state: 'huge', show: () => <ExecutionError error={longDetail.error} isCut={no} alike={null} /> },
    { state: 'hostile', show: () => <ExecutionError error={hostileDetail.error} isCut={no} alike={null} /> }
  ],
  'executions/execution-facts': [
    { state: 'ready', show: () => <ExecutionFacts execution={{ ...detail, priority: 7,
      retry_of: '0199-e0' }} auditHref="/audit" href={href} /> },
    { state: 'forbidden', words: 'who changed it may not be seen',
      show: () => <ExecutionFacts execution={detail} auditHref={null} href={href} /> },
    { state: 'unknown', words: 'existing queue', show: () => <ExecutionFacts execution={unknownFacts} auditHref={null} href={href} /> },
    {
      state: 'partial', words: 'it is being cancelled', show: () => <ExecutionFacts
        execution={{ ...runningDetail, cancelling_since: ago(9), cancellation: { reason: 'Wrong order', requested_at: ago(9),
          requested_by: 'ada' } }}
        auditHref={null} href={href}
      />
    },
    { state: 'huge', show: () => <ExecutionFacts execution={longFacts} auditHref="/audit" href={href} /> },
    { state: 'hostile', show: () => <ExecutionFacts execution={hostileFacts} auditHref="/audit" href={href} /> }
  ],
  'executions/execution-log': [
    { state: 'ready', show: () => <ExecutionLog lines={['charging', 'charged']} /> },
    { state: 'empty', show: () => <ExecutionLog lines={[]} /> },
    { state: 'huge', show: () => <ExecutionLog lines={Array.from({ length: 1_000 }, (_line, index) => `${index} ${UNBROKEN}`)} /> },
    { state: 'hostile', show: () => <ExecutionLog lines={[HOSTILE, '\u001B[31mred\u0007']} /> }
  ],
  'executions/execution-progress': [
    { state: 'ready', show: () => <ExecutionProgress execution={runningDetail} /> },
    { state: 'empty', words: 'none is told', show: () => <ExecutionProgress execution={{ ...runningDetail, progress: null }} /> },
    { state: 'partial', words: 'no number', show: () => <ExecutionProgress execution={{ ...runningDetail, progress: { done: 3,
      of: 9 } }} /> },
    { state: 'huge', show: () => <ExecutionProgress execution={{ ...runningDetail, progress: 1e300 }} /> },
    { state: 'hostile', show: () => <ExecutionProgress execution={{ ...runningDetail, progress: { [HOSTILE]: HOSTILE } }} /> }
  ],
  'executions/job-facts': [
    { state: 'ready', show: () => <JobFacts job={job} href={href} /> },
    {
      state: 'empty',
      show: () => <JobFacts job={{ ...job, parent: null, children: [], children_left: 0, deduplication: null, trace: null }} href={href} />
    },
    { state: 'unknown', show: () => <JobFacts job={{ ...job, known: false, children: null, children_left: null }} href={href} /> },
    { state: 'huge', show: () => <JobFacts job={related(LONG)} href={href} /> },
    { state: 'hostile', show: () => <JobFacts job={related(HOSTILE)} href={href} /> }
  ],
  'executions/run-list': [
    { state: 'ready', words: 'clocks change', show: () => <RunList preview={preview} jitterMs={90_000} /> },
    { state: 'empty', words: 'it ends before', show: () => <RunList preview={preview} endAt={ago(9)} /> },
    { state: 'hostile', show: () => <RunList preview={{ ...preview, runs: preview.runs.map(run => ({ ...run, offset: HOSTILE })) }} /> }
  ],
  'executions/stack-view': [
    { state: 'ready', show: () => <StackView label="Stack" text={detail.error!.stack!} head="TimeoutError: gave up after 3000 ms" /> },
    {
      state: 'partial', words: 'nothing of the application',
      show: () => <StackView label="Stack" text="    at run (/app/node_modules/a/b.js:3:4)" />
    },
    { state: 'huge', show: () => <StackView label="Stack" text={`Error: x\n${`    at ${UNBROKEN} (/app/a.js:1:1)\n`.repeat(90)}`} /> },
    { state: 'hostile', show: () => <StackView label="Stack" text={`${HOSTILE}\n    at ${HOSTILE}`} /> }
  ],
  'executions/timeline': [
    { state: 'ready', show: () => <Timeline events={timeline} /> },
    { state: 'empty', show: () => <Timeline events={[]} /> },
    { state: 'huge', show: () => <Timeline events={[{ event: 'submitted', at: '1999-01-01T00:00:00Z', attempt: null }, ...timeline]} /> }
  ],
  'executions/waterfall': [
    { state: 'ready', show: () => <Waterfall events={timeline} /> },
    { state: 'loading', words: 'it runs', show: () => <Waterfall events={timeline.slice(0, 4)} /> },
    { state: 'empty', show: () => <Waterfall events={[]} /> },
    { state: 'huge', show: () => <Waterfall events={[{ event: 'submitted', at: '1999-01-01T00:00:00Z', attempt: null }, ...timeline]} /> }
  ],
  'executions/why-facts': [
    { state: 'ready', show: () => why(everyFact('web-1')) },
    { state: 'empty', show: () => why([]) },
    { state: 'forbidden', words: 'no page may be opened', show: () => why(everyFact('web-1'), false) },
    { state: 'hostile', show: () => why(everyFact(HOSTILE)) }
  ]
}

function args(path: string, value: string, isCut: boolean) {
  return <ArgumentsTable compared={{
    compared: 20, common: [{ path, value }], isCut,
    different: [{ path: `${path}.lines`, values: [{ value, count: 12 }, { value: undefined, count: 5 }], others: 3 }]
  }} />
}

function related(text: string): typeof job {
  const other = { task_name: text, execution_id: text, status: 'failed', job_name: text, key: text, removed: false } as const
  return {
    ...job, parent: other, children: [other], children_left: 9e15, deduplication: { id: text, held: null, held_until: null },
    trace: { trace_id: text, span_id: text, url: null }
  }
}

function why(facts: readonly WhyFact[], isAllowed = true) {
  return <WhyFacts facts={facts} execution={{ task_name: 'billing:charge', priority: 3 }} may={() => isAllowed} />
}

function everyFact(text: string): readonly WhyFact[] {
  const until = ahead(90)
  return [
    { kind: 'broker_unavailable', reason: 'refused' }, { kind: 'backend_unavailable', reason: 'unreachable' },
    { kind: 'cancelling', by: text, since: ago(9) }, { kind: 'worker_lost', worker_id: text, last_seen_at: ago(90), locked_until: until },
    { kind: 'stalled', worker_id: text }, { kind: 'waiting_children', children: 3 }, { kind: 'waiting_children', children: null },
    { kind: 'delayed', schedule_id: text, until }, { kind: 'retrying', attempt: 2, max_attempts: 3, until },
    { kind: 'paused', pause: { reason: text, by: text, since: ago(900), until } }, { kind: 'no_worker' },
    { kind: 'workers_unavailable', stopping: 1, silent: 2, refused: 3 }, { kind: 'concurrency_limit', running: 4, limit: 4 },
    { kind: 'rate_limited', max: 10, duration_ms: 1_000, until }, { kind: 'rate_limited', max: 10, duration_ms: null, until },
    { kind: 'behind', ahead: { value: 1_204, relation: 'at_least' }, per_minute: 40, estimate_ms: 1_800_000 },
    { kind: 'workers_busy', workers: 4, concurrency: 40 }, { kind: 'unknown', workers: null, free: null }
  ]
}
