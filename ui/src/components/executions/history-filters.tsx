import type { ReactNode } from 'react'
import type { ExecutionStatus } from '../../../../schemas/index.ts'
import type { AddressChange } from '../../format/places/address.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatDuration } from '../../format/time/duration.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { PRESETS, rangeWords, type TimeRange } from '../../format/time/time-range.ts'
import { StatusFilter } from './status-filter.tsx'
import { Icon } from '../elements/icon.tsx'
import { executionTexts } from '../../texts/executions.ts'
import { rowTexts } from '../../texts/execution-rows.ts'
import { timeTexts } from '../../texts/time.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../format/time/units.ts'

const LENGTHS_MS = [100, SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, HOUR_MS]

type Total = { value: number; relation: 'exact' | 'at_least' }

interface Props {
  readonly filter: ExecutionFilter
  readonly counts: Readonly<Record<ExecutionStatus | 'all', Total | undefined>>
  /** The time of the counts, if they are not current. */
  readonly stale: ReactNode
  readonly taskNames: readonly string[]
  /** The error type of the failure group in the filter, once one of its executions is known. */
  readonly groupName: string | null
  readonly href: (change: AddressChange) => string
  readonly onChange: (change: AddressChange) => void
}

export function HistoryFilters({ filter, counts, stale, taskNames, groupName, href, onChange }: Props) {
  // A task that no longer exists keeps its history, and links to it must still work.
  const names = filter.taskName !== null && !taskNames.includes(filter.taskName) ? [filter.taskName, ...taskNames] : taskNames
  const lengths = filter.minDurationMs !== null && !LENGTHS_MS.includes(filter.minDurationMs)
    ? [filter.minDurationMs, ...LENGTHS_MS]
    : LENGTHS_MS
  return (
    <div className="filters">
      <StatusFilter current={filter.status} counts={counts} stale={stale} href={status => href({ status })} />
      <div className="filters-fields">
        {filter.scheduleId !== null && (
          <Chip
            name={executionTexts.schedule} value={filter.scheduleId} label={executionTexts.everySchedule}
            onClick={() => onChange({ schedule: null })}
          />
        )}
        {filter.workerId !== null &&
          <Chip
            name={executionTexts.worker} value={filter.workerId} label={executionTexts.everyWorker}
            onClick={() => onChange({ worker: null })}
          />}
        {filter.errorGroup !== null &&
          <Chip
            name={executionTexts.failureGroup} value={groupName ?? filter.errorGroup} label={executionTexts.everyFailure}
            onClick={() => onChange({ group: null })}
          />}
        <select
          aria-label={rowTexts.task} value={filter.taskName ?? ''} onChange={event => onChange({ task: event.currentTarget.value })}
        >
          <option value="">{executionTexts.allTasks}</option>
          {names.map(name => <option key={name} value={name}>{name}</option>)}
        </select>
        <select
          aria-label={timeTexts.range} value={rangeKey(filter.range)}
          onChange={event => onChange({ range: event.currentTarget.value, from: null, to: null })}
        >
          <option value="">{timeTexts.allTime}</option>
          {[...PRESETS, ...(isOther(filter.range) ? [filter.range] : [])].map(range =>
            <option key={rangeKey(range)} value={rangeKey(range)}>{rangeWords(range, currentTime())}</option>)}
        </select>
        <select
          aria-label={executionTexts.took} value={filter.minDurationMs === null ? '' : String(filter.minDurationMs)}
          onChange={event => onChange({ took: event.currentTarget.value })}
        >
          <option value="">{executionTexts.tookAny}</option>
          {lengths.map(ms => <option key={ms} value={ms}>{executionTexts.tookAtLeast(formatDuration(ms))}</option>)}
        </select>
        <button
          type="button" className="button toggle" aria-pressed={filter.order === 'oldest'}
          onClick={() => onChange({ order: filter.order === 'oldest' ? null : 'oldest' })}
        >
          {executionTexts.oldestFirst}
        </button>
      </div>
    </div>
  )
}

function rangeKey(range: TimeRange | null): string {
  return range === null ? '' : range.kind === 'last' ? range.text : 'between'
}

function isOther(range: TimeRange | null): range is TimeRange {
  return range !== null && !PRESETS.some(preset => preset.text === rangeKey(range))
}

function Chip({ name, value, label, onClick }: { name: string; value: string; label: string; onClick: () => void }) {
  return <button type="button" className="chip" onClick={onClick} aria-label={label} title={value}>
    <span>{name} <bdi>{value}</bdi></span><Icon name="close" />
  </button>
}
