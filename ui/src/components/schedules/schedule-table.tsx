import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { permits } from '../../format/actions/permits.ts'
import { formatCompact, formatCount } from '../../format/stats/number.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { timingInWords } from '../../format/schedules/timing-in-words.ts'
import { BriefGrid } from '../grid/brief-grid.tsx'
import { DataGrid } from '../grid/data-grid.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { Icon } from '../elements/icon.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { ScheduleTags } from './schedule-alerts.tsx'
import { EnabledCell, LastRun, NextRun, SuccessRate, Timing, type ChangeEnabled } from './schedule-cells.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Given {
  readonly openId: string | null
  readonly href: (scheduleId: string) => string
  readonly onEnable: ChangeEnabled
  readonly onDisable: ChangeEnabled
  readonly onDelete: ((schedule: Schedule) => void) | null
  readonly busyIds: ReadonlySet<string>
}

interface Props extends Given {
  readonly schedules: readonly Schedule[]
  /** How many there are in all; null while that is not known. */
  readonly total: number | null
  readonly sorting?: Sorting | null
  readonly sortHref?: (sorting: Sorting) => string
  readonly onEnd?: () => void
  readonly isBrief?: boolean
}

const HEIGHTS = { comfortable: 53, compact: 44, phone: 62 }

export function ScheduleTable(props: Props) {
  const { schedules, total, sorting = null, sortHref, onEnd, isBrief = false, ...given } = props
  const { openId, href, onEnable, onDisable, onDelete, busyIds } = given
  const columns = useMemo(
    () => columnsOf({ openId, href, onEnable, onDisable, onDelete, busyIds }), [openId, href, onEnable, onDisable, onDelete, busyIds]
  )
  const Grid = isBrief ? BriefGrid : DataGrid
  return <Grid
    name="schedules" label={scheduleTexts.title} columns={columns} rows={schedules} total={total} keyOf={keyOf} openKey={openId}
    heights={HEIGHTS} isMeasured classOf={({ enabled }) => (enabled ? '' : 'is-off')} sorting={sorting}
    {...(sortHref && { sortHref })} {...(onEnd && { onEnd })}
  />
}

function keyOf({ schedule_id: id }: Schedule): string {
  return id
}

function columnsOf({ openId, href, onEnable, onDisable, onDelete, busyIds }: Given): ReadonlyArray<GridColumn<Schedule>> {
  const { columns } = scheduleTexts
  const changeOf = (schedule: Schedule) => {
    const [action, change] = schedule.enabled ? ['schedules:disable', onDisable] as const : ['schedules:enable', onEnable] as const
    return permits(schedule, action) ? change : null
  }
  return [
    {
      id: 'switch', name: columns.enabled, minPx: 52, isFixed: true, phone: '1 end', className: 'above',
      cell: schedule => <EnabledCell
        schedule={schedule} onChange={changeOf(schedule)}
        isBusy={busyIds.has(schedule.schedule_id)}
      />
    },
    {
      id: 'task', name: scheduleTexts.one, minPx: 150, grow: 1.6, isFixed: true, phone: '1', sorts: 'up', className: 'two-lines',
      cell: schedule => <NameCell schedule={schedule} href={href(schedule.schedule_id)} isOpen={schedule.schedule_id === openId} />
    },
    {
      id: 'when', name: columns.when, minPx: 132, grow: 1.6, givesWay: 1, className: 'two-lines',
      cell: schedule => <>
        {schedule.human !== schedule.cron && <span title={timingInWords(schedule)}><bdi>{timingInWords(schedule)}</bdi></span>}
        <span className="muted"><Timing schedule={schedule} /></span>
      </>
    },
    {
      id: 'next', name: columns.next, minPx: 104, grow: 1, phone: '2', sorts: 'up', className: 'two-lines',
      cell: schedule => <NextRun schedule={schedule} />
    },
    {
      id: 'last', name: columns.last, minPx: 84, grow: 0.5, givesWay: 2, phone: '2 end', sorts: 'down',
      cell: schedule => <LastRun schedule={schedule} />
    },
    {
      id: 'runs', name: columns.runs, minPx: 60, givesWay: 4, isNumber: true, sorts: 'down',
      cell: ({ stats }) => <span title={formatCount(stats.runs)}>{formatCompact(stats.runs)}</span>
    },
    {
      id: 'success', name: columns.success, minPx: 64, givesWay: 3, isNumber: true, phone: '2 end', sorts: 'up',
      cell: schedule => <SuccessRate schedule={schedule} />
    },
    {
      id: 'missed', name: columns.missed, minPx: 52, isWarning: true, isFixed: true, isNumber: true, phone: '2 end', sorts: 'down',
      title: scheduleTexts.missedTitle, cell: ({ stats }) => <Missed count={stats.missed} />
    },
    {
      id: 'delete', name: columns.delete, isNameless: true, minPx: 28, isFixed: true, className: 'above',
      cell: schedule => onDelete && permits(schedule, 'schedules:delete') && <DeleteButton schedule={schedule} onDelete={onDelete} />
    }
  ]
}

function DeleteButton({ schedule, onDelete }: { schedule: Schedule; onDelete: (schedule: Schedule) => void }) {
  return (
    <button
      type="button" className="button button-icon" aria-label={scheduleTexts.deleteOne(scheduleTitle(schedule))}
      title={scheduleTexts.deleteDialog}
      onClick={() => onDelete(schedule)}
    >
      <Icon name="trash" />
    </button>
  )
}

function NameCell({ schedule, href, isOpen }: { schedule: Schedule; href: string; isOpen: boolean }) {
  return (
    <>
      <Link
        href={href} className="row-link" data-row-link={schedule.schedule_id} data-opened={isOpen || undefined}
        aria-current={isOpen ? 'true' : undefined}
      >
        <bdi>{scheduleTitle(schedule)}</bdi>
      </Link>
      <span className="muted">
        <ScheduleTags schedule={schedule} />
        <span className="wide-word">
          {scheduleTitle(schedule) === schedule.task_name ? scheduleTexts.noDescription : <bdi>{schedule.task_name}</bdi>}
          {schedule.source === 'code' && <span title={scheduleTexts.inCodeTitle}> · {scheduleTexts.inCode}</span>}
        </span>
      </span>
    </>
  )
}

/** On a phone there is no column header, so the cell says what it is. */
function Missed({ count }: { count: number | null }) {
  if (count === null) return <Unknown reason={scheduleTexts.missedUnknown} />
  return count > 0
    ? <span className="tone-warn">{formatCompact(count)}<span className="phone-word"> {scheduleTexts.missedOnPhone}</span></span>
    : <span className="muted wide-word">0</span>
}
