import type { BulkPreview, Execution } from '../../../../schemas/index.ts'
import { isTooMany, notMatching, tasksOfMatches } from '../../format/bulk/bulk-state.ts'
import { formatTotal } from '../../format/stats/number.ts'
import { ErrorLine } from '../executions/execution-cells.tsx'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { statusWord } from '../../format/executions/status.ts'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  /** Undefined until the response of the dry run. */
  readonly preview: BulkPreview | undefined
  /** Why the dry run failed; null while its response may still come. */
  readonly failure: string | null
  /** How many executions the filter names; null if it names none. */
  readonly selected: number | null
}

/** The result of a dry run: how many match, the newest of them, and what is left out. */
export function BulkMatches({ preview, failure, selected }: Props) {
  return (
    <div className="bulk-matches">
      <p role="status">
        {preview
          ? <Count preview={preview} />
          : failure === null
            ? <span className="muted">{bulkTexts.counting}</span>
            : <span className="tone-bad wrap">{bulkTexts.notCounted(failure)}</span>}
      </p>
      {preview && <LeftOut preview={preview} selected={selected} />}
      {preview && preview.count.value > preview.max_items && <p className="tone-warn">
        {(isTooMany(preview.count, preview.max_items) ? bulkTexts.tooMany : bulkTexts.capped)(preview.max_items)}
      </p>}
      {preview && preview.sample.length > 0 && <>
        <p className="muted">{bulkTexts.newest}</p>
        <ul className="bulk-sample" tabIndex={0} aria-label={bulkTexts.newest}>
          {preview.sample.map(execution => <Sample key={execution.execution_id} execution={execution} />)}
        </ul>
      </>}
    </div>
  )
}

function Count({ preview }: { preview: BulkPreview }) {
  const { action, count } = preview
  const { value, relation } = count
  const tasks = tasksOfMatches(preview)
  if (value === 0) return relation === 'exact' ? <b>{bulkTexts.nothingMatches}</b> : <span className="muted">{bulkTexts.uncounted}</span>
  return (
    <>
      <b title={formatTotal(count)}>{bulkTexts.matching(value, action === 'resolve', relation === 'at_least')}</b>
      {' '}{(tasks.isExact ? bulkTexts.ofTasks : bulkTexts.ofAtMostTasks)(tasks.count)}
    </>
  )
}

/** What the filter covers but the action leaves out. */
function LeftOut({ preview, selected }: { preview: BulkPreview; selected: number | null }) {
  const { action, tasks_left_out: tasks, executions_left_out: executions } = preview
  const others = notMatching(preview, selected)
  return (
    <>
      {executions !== null && executions > 0 && <p className="tone-warn">{bulkTexts.selectedLeftOut(executions)}</p>}
      {executions === null && tasks > 0 && <p className="tone-warn">{bulkTexts.leftOut(tasks)}</p>}
      {action !== 'resolve' && others !== null && others > 0 && <p className="tone-warn">{bulkTexts.notMatching[action](others)}</p>}
    </>
  )
}

function Sample({ execution }: { execution: Execution }) {
  const { status, task_name: task, error, finished_at: finished, submitted_at: submitted } = execution
  return (
    <li>
      <StatusMark mark={status} word={statusWord(status)} isQuiet /> <bdi title={task}>{task}</bdi>
      <span className="muted">{error && <ErrorLine error={error} />}</span>
      <span className="muted"><Moment at={finished ?? submitted} /></span>
    </li>
  )
}
