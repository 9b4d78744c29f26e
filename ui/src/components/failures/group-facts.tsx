import { Link } from 'wouter'
import type { FailureGroup } from '../../../../schemas/index.ts'
import { withParameters } from '../../format/places/address.ts'
import { hoursCounted } from '../../format/failures/hours-counted.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatCount } from '../../format/stats/number.ts'
import { rangeParameters, rangeWordsInside, type TimeRange } from '../../format/time/time-range.ts'
import { Fact } from '../elements/part.tsx'
import { Moment } from '../elements/moment.tsx'
import { StateFact } from './group-state.tsx'
import { TrendBars } from '../stats/trend-bars.tsx'
import { failureTexts } from '../../texts/failures.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

const MAX_TASKS_SHOWN = 8

interface Props {
  readonly group: FailureGroup
  readonly isRising: boolean
  /** The range of the count; null means all time. */
  readonly range: TimeRange | null
}

/** How often a cause of failures was seen, since when, and where. */
export function GroupFacts({ group, isRising, range }: Props) {
  return (
    <dl className="facts group-facts">
      <Fact name={failureTexts.title}>
        {formatCount(group.count)} <span className="muted" title={range === null ? undefined : failureTexts.countedTitle}>
          {rangeWordsInside(hoursCounted(range, currentTime()), currentTime())}
        </span>
        {isRising && <span className="tone-bad"> {failureTexts.rising}</span>}{group.is_new &&
          <span className="tone-warn"> {failureTexts.new}</span>}
      </Fact>
      <Fact name={groupTexts.state}><StateFact group={group} /></Fact>
      <Fact name={groupTexts.firstSeen}><Moment at={group.first_seen_at} as="both" /></Fact>
      <Fact name={failureTexts.lastSeen}><Moment at={group.last_seen_at} as="both" /></Fact>
      <Fact name={groupTexts.tasks}><Tasks group={group} range={range} /></Fact>
      {group.frame !== null && <Fact name={groupTexts.where}><code className="wrap"><bdi>{group.frame}</bdi></code></Fact>}
      <Fact name={groupTexts.hours}><TrendBars counts={group.trend} label={failureTexts.trend} /></Fact>
    </dl>
  )
}

function Tasks({ group: { tasks, error_group: group }, range }: { group: FailureGroup; range: TimeRange | null }) {
  const hidden = tasks.length - MAX_TASKS_SHOWN
  const narrowed = range === null ? {} : rangeParameters(range)
  return (
    <>
      {tasks.slice(0, MAX_TASKS_SHOWN).map(task => (
        <span key={task.name} className="group-task">
          <Link href={`/executions${withParameters('', { status: 'failed', group, task: task.name, ...narrowed })}`} className="wrap">
            <bdi>{task.name}</bdi>
          </Link> <span className="muted" title={groupTexts.allTimeTitle}>{formatCount(task.count)}</span>
        </span>
      ))}
      {hidden > 0 && <span className="muted">{groupTexts.andMoreTasks(hidden)}</span>}
    </>
  )
}
