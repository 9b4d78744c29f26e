import type { ExecutionStatus } from '../../../schemas/index.ts'
import { RANGE_WORDS, RANGES, type AddressChange, type Range } from '../format/address.ts'
import type { ExecutionFilter } from '../format/execution-filter.ts'
import { StatusFilter } from './status-filter.tsx'
import { Icon } from './icon.tsx'

type Total = { value: number; relation: 'exact' | 'at_least' }

interface Props {
  readonly filter: ExecutionFilter
  readonly counts: Readonly<Record<ExecutionStatus | 'all', Total | undefined>>
  readonly taskNames: readonly string[]
  readonly href: (change: AddressChange) => string
  readonly onChange: (change: AddressChange) => void
}

export function HistoryFilters({ filter, counts, taskNames, href, onChange }: Props) {
  // A task that is gone keeps its history, and a link to it keeps its meaning.
  const names = filter.taskName !== null && !taskNames.includes(filter.taskName) ? [filter.taskName, ...taskNames] : taskNames
  return (
    <div className="filters">
      <StatusFilter current={filter.status} counts={counts} href={(status) => href({ status })} />
      <div className="filters-fields">
        {filter.scheduleId !== null && (
          <button type="button" className="chip" onClick={() => onChange({ schedule: null })} aria-label="Show the executions of every schedule">
            <span>Schedule <bdi>{filter.scheduleId}</bdi></span><Icon name="close" />
          </button>
        )}
        <select aria-label="Task" data-search value={filter.taskName ?? ''} onChange={(event) => onChange({ task: event.currentTarget.value })}>
          <option value="">All tasks</option>
          {names.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
        <select aria-label="Time range" value={filter.range ?? ''} onChange={(event) => onChange({ range: event.currentTarget.value })}>
          <option value="">All time</option>
          {(Object.keys(RANGES) as Range[]).map((range) => <option key={range} value={range}>{RANGE_WORDS[range]}</option>)}
        </select>
      </div>
    </div>
  )
}
