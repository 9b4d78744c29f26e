import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../schemas/index.ts'
import { formatInterval } from '../format/duration.ts'
import { formatCompact, formatCount, formatRate } from '../format/number.ts'
import { capitalized, scheduleTitle } from '../format/status.ts'
import { useMedia } from '../hooks/use-media.ts'
import { Icon } from './icon.tsx'
import { Countdown, Moment } from './moment.tsx'
import { ScheduleTags } from './schedule-alerts.tsx'
import { StatusMark } from './status-mark.tsx'
import { Switch } from './switch.tsx'
import { Unknown } from './unknown.tsx'

interface Props {
  readonly schedules: readonly Schedule[]
  /** How many there are in all; null while that is not known. */
  readonly total: number | null
  readonly onEnd: () => void
  readonly openId: string | null
  readonly href: (scheduleId: string) => string
  /** null: not allowed, and the column shows a word instead. */
  readonly onEnable: ((schedule: Schedule, isEnabled: boolean) => void) | null
  readonly onDisable: ((schedule: Schedule, isEnabled: boolean) => void) | null
  readonly onDelete: ((schedule: Schedule) => void) | null
  readonly busyIds: ReadonlySet<string>
}

const ROW_PX = 53
const STACKED_ROW_PX = 176
const OVERSCAN = 10
/** From this many rows before the end on, the next page is asked for. */
const AHEAD = 100

/** However many there are, only the rows in sight exist. */
export function ScheduleTable(props: Props) {
  const { schedules, total, onEnd } = props
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const isStacked = useMedia('(max-width: 719px)')
  // What stands above can grow or shrink with any render.
  useLayoutEffect(() => {
    const top = Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (top !== offset) setOffset(top)
  })
  const virtualizer = useWindowVirtualizer({
    count: schedules.length, estimateSize: () => (isStacked ? STACKED_ROW_PX : ROW_PX), overscan: OVERSCAN, scrollMargin: offset,
    getItemKey: index => schedules[index]!.schedule_id
  })
  useEffect(() => virtualizer.measure(), [virtualizer, isStacked])
  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= schedules.length - AHEAD) onEnd()
  }, [last, schedules.length, onEnd])
  const [before, after] = rows.length === 0 ? [0, 0] : [rows[0]!.start - offset, virtualizer.getTotalSize() - (rows.at(-1)!.end - offset)]

  return (
    <div className="grid schedules" data-panel-list role="table" aria-label="Schedules" aria-rowcount={total === null ? -1 : total + 1}>
      <div role="rowgroup" className="grid-head">
        <div role="row" className="grid-row" aria-rowindex={1}>
          <span role="columnheader">Enabled</span>
          <span role="columnheader">Schedule</span>
          <span role="columnheader">When</span>
          <span role="columnheader">Next run</span>
          <span role="columnheader">Last run</span>
          <span role="columnheader" className="num cell-runs">Runs</span>
          <span role="columnheader" className="num">Success</span>
          <span role="columnheader" className="num cell-missed" title="Due runs that did not happen">Missed</span>
          <span role="columnheader"><span className="sr-only">Delete</span></span>
        </div>
      </div>
      <div role="rowgroup" ref={body} style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}>
        {rows.map(({ index, key }) =>
          <Row key={key} {...props} schedule={schedules[index]!} index={index} measure={virtualizer.measureElement} />)}
      </div>
    </div>
  )
}

interface RowProps extends Props {
  readonly schedule: Schedule
  readonly index: number
  readonly measure: (element: Element | null) => void
}

function Row({ schedule, index, measure, openId, href, onEnable, onDisable, onDelete, busyIds }: RowProps) {
  const isOpen = schedule.schedule_id === openId
  return (
    <div
      role="row" ref={measure} data-index={index} aria-rowindex={index + 2}
      className={`grid-row ${isOpen ? 'is-open' : ''} ${schedule.enabled ? '' : 'is-off'}`}
    >
      <span role="cell" className="cell-switch above">
        <EnabledCell schedule={schedule} onChange={schedule.enabled ? onDisable : onEnable} isBusy={busyIds.has(schedule.schedule_id)} />
      </span>
      <span role="cell" className="cell-task two-lines">
        <Link
          href={href(schedule.schedule_id)} className="row-link" data-row-link data-opened={isOpen || undefined}
          aria-current={isOpen ? 'true' : undefined}
        >
          <bdi>{scheduleTitle(schedule)}</bdi>
        </Link>
        <span className="muted">
          <ScheduleTags schedule={schedule} />
          {scheduleTitle(schedule) === schedule.task_name ? 'no description' : <bdi>{schedule.task_name}</bdi>}
          {schedule.source === 'code' && <span title="Defined in the code of the queue app"> · in code</span>}
        </span>
      </span>
      <span role="cell" data-label="When" className="two-lines">
        <span title={schedule.human}><bdi>{capitalized(schedule.human)}</bdi></span>
        <span className="muted"><Timing schedule={schedule} /></span>
      </span>
      <span role="cell" data-label="Next run" className="two-lines"><NextRun schedule={schedule} /></span>
      <span role="cell" data-label="Last run"><LastRun schedule={schedule} /></span>
      <span role="cell" data-label="Runs" className="num cell-runs" title={formatCount(schedule.stats.runs)}>
        {formatCompact(schedule.stats.runs)}
      </span>
      <span role="cell" data-label="Success" className="num"><SuccessRate schedule={schedule} /></span>
      <span role="cell" data-label="Missed" className="num cell-missed">
        {schedule.stats.missed > 0
          ? <span className="tone-warn">{formatCompact(schedule.stats.missed)}</span>
          : <span className="muted">0</span>}
      </span>
      <span role="cell" className="cell-delete above">
        {onDelete &&
          <button
            type="button" className="button button-icon" aria-label={`Delete ${scheduleTitle(schedule)}`} title="Delete…"
            onClick={() => onDelete(schedule)}
          >
            <Icon name="trash" />
          </button>}
      </span>
    </div>
  )
}

interface EnabledCellProps {
  readonly schedule: Schedule
  readonly onChange: Props['onEnable']
  readonly isBusy: boolean
}

function EnabledCell({ schedule, onChange, isBusy }: EnabledCellProps) {
  if (!onChange) return <StatusMark mark={schedule.enabled ? 'success' : 'off'} word={schedule.enabled ? 'On' : 'Off'} />
  return <Switch
    isOn={schedule.enabled} isBusy={isBusy} label={`${scheduleTitle(schedule)} enabled`} onChange={isOn => onChange(schedule, isOn)}
  />
}

export function Timing({ schedule }: { schedule: Schedule }) {
  if (schedule.cron === null) return <>interval of {formatInterval(schedule.interval_ms ?? 0)}</>
  return <><code>{schedule.cron}</code> · {schedule.timezone}</>
}

export function NextRun({ schedule }: { schedule: Schedule }) {
  if (!schedule.enabled) return <span className="muted" title="A disabled schedule has no next run">disabled</span>
  if (!schedule.next_run_at) return <Unknown reason="The server has not planned it yet" />
  return <><span><Countdown at={schedule.next_run_at} /></span><span className="muted"><Moment at={schedule.next_run_at} /></span></>
}

export function LastRun({ schedule }: { schedule: Schedule }) {
  if (!schedule.last_run_at) return <span className="muted">never</span>
  const word = schedule.last_status ? { running: 'Running', success: 'Success', failed: 'Failed' }[schedule.last_status] : 'Outcome unknown'
  return <><StatusMark mark={schedule.last_status ?? 'unknown'} word={word} isQuiet /> <Moment at={schedule.last_run_at} as="relative" /></>
}

/** In the answer to a change while the history cannot be read. */
export const COUNTS_UNKNOWN = 'The result backend is out of reach'

export function SuccessRate({ schedule }: { schedule: Schedule }) {
  const { success, failed } = schedule.stats
  if (success === null || failed === null) return <Unknown reason={COUNTS_UNKNOWN} />
  const finished = success + failed
  if (finished === 0) return <Unknown reason="No run has finished yet" />
  const rate = (success / finished) * 100
  return <span className={rate < 95 ? 'tone-bad' : undefined} title={`${formatCount(success)} succeeded, ${formatCount(failed)} failed`}>
    {formatRate(rate)}
  </span>
}
