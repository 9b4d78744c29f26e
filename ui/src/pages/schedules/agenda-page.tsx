import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { ScheduleAgenda } from '../../../../schemas/index.ts'
import { agendaQuery } from '../../api/schedules.ts'
import { AgendaTable, type AgendaColumn, type AgendaRow } from '../../components/schedules/agenda-table.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import {
  addUpDays, busiestHour, dayText, toAgendaDays, toAgendaSpan, type AgendaDay, type AgendaSpan
} from '../../format/schedules/agenda.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { formatClock, formatDay, zoneWords } from '../../format/time/time.ts'
import { DAY_MS, HOUR_MS } from '../../format/time/units.ts'
import { AgendaPanel } from './agenda-panel.tsx'
import { useAddress } from '../../hooks/use-address.ts'
import { useHour } from '../../hooks/use-now.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

/** How many runs are planned when: the load of a day or a week. */
export function AgendaPage() {
  const address = useAddress()
  const hour = useHour()
  const days = address.get('days') === '7' ? 7 : 1
  const isPast = address.get('days') === 'past'
  const day = address.get('day')
  const { from, to } = isPast ? lastDay(hour) : toAgendaSpan(days, day, hour)
  const openId = address.get('schedule')
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...agendaQuery(from, to), ...usePolling(60_000) }))
  return (
    <>
      <div className="page-header">
        <h1>{scheduleTexts.agenda}</h1>
        <span className="muted">{scheduleTexts.spanIn(isPast ? scheduleTexts.theLastDay : spanWords(days, day, from), zoneWords())}</span>
        <Stale failure={failure} updatedAt={updatedAt} />
        <div className="page-tools">
          <nav className="segments" aria-label={scheduleTexts.span}>
            <Link
              href={address.href({ days: 'past', day: null })} className="segment" aria-current={isPast ? 'true' : undefined}
            >
              {scheduleTexts.lastDay}
            </Link>
            <Link
              href={address.href({ days: null, day: null })} className="segment"
              aria-current={days === 1 && !isPast && day === null ? 'true' : undefined}
            >
              {scheduleTexts.nextDay}
            </Link>
            <Link href={address.href({ days: '7', day: null })} className="segment" aria-current={days === 7 ? 'true' : undefined}>
              {scheduleTexts.week}
            </Link>
          </nav>
          <Link href="/schedules" className="button">{scheduleTexts.list}</Link>
        </div>
      </div>
      {data
        ? data.schedules.length === 0
          ? <Empty title={scheduleTexts.nothingPlanned}>
            <p>{scheduleTexts.plannedAppear} <Link href="/schedules">{scheduleTexts.all}</Link></p>
          </Empty>
          : <Agenda agenda={data} days={days} dayHref={start => address.href({ days: null, day: dayText(start) })}
            scheduleHref={id => address.href({ schedule: id })} />
        : failure
          ? <Failed what={scheduleTexts.theAgenda} failure={failure} onRetry={retry} />
          : <SkeletonRows count={12} label={scheduleTexts.loadingAgenda} />}
      {openId && <AgendaPanel
        key={openId} scheduleId={openId} past={to <= hour + HOUR_MS ? { from, to } : null}
        onClose={() => address.go({ schedule: null })}
      />}
    </>
  )
}

/** The hour that runs now, and the 23 before it. */
function lastDay(hour: number): AgendaSpan {
  const to = Math.floor(hour / HOUR_MS) * HOUR_MS + HOUR_MS
  return { from: to - DAY_MS, to }
}

function spanWords(days: 1 | 7, day: string | null, from: number): string {
  if (days === 7) return scheduleTexts.sevenDays
  return day === null ? scheduleTexts.theNextDay : formatDay(from)
}

interface AgendaProps {
  readonly agenda: ScheduleAgenda
  readonly days: 1 | 7
  readonly dayHref: (start: number) => string
  readonly scheduleHref: (scheduleId: string) => string
}

function Agenda({ agenda, days, dayHref, scheduleHref }: AgendaProps) {
  const hour = useHour()
  const localDays = useMemo(() => toAgendaDays(agenda), [agenda])
  const total = agenda.totals.reduce((sum, count) => sum + count, 0)
  const busiest = busiestHour(agenda)
  return (
    <>
      <p className="agenda-lead">
        <b>{scheduleTexts.runCount(total)}</b> {scheduleTexts.ofSchedules(agenda.schedules.length)}
        {busiest && scheduleTexts.busiest(formatClock(Date.parse(busiest.at), hour), busiest.count)}.
        <span className="muted"> {scheduleTexts.withoutJitter}</span>
      </p>
      {days === 7
        ? <>
          <Section title={scheduleTexts.hourByHour}>
            <AgendaTable
              label={scheduleTexts.daysHourly} rowsAre={scheduleTexts.day} columns={CLOCK_HOURS}
              rows={localDays.map(day => toDayRow(day, dayHref))} totals={null}
            />
          </Section>
          <Section title={scheduleTexts.bySchedule}>
            <AgendaTable
              label={scheduleTexts.schedulesDaily} rowsAre={scheduleTexts.one} totals={{
                counts: localDays.map(day => day.total), total
              }}
              columns={localDays.map(({ start }) => ({ key: String(start), name: formatDay(start), title: formatDay(start) }))}
              rows={toScheduleRows(agenda, scheduleHref, counts => addUpDays(agenda.hours, counts, localDays))}
            />
          </Section>
        </>
        : <AgendaTable
          label={scheduleTexts.schedulesHourly} rowsAre={scheduleTexts.one} totals={{ counts: agenda.totals, total }}
          columns={agenda.hours.map(at => toHourColumn(at, hour))} rows={toScheduleRows(agenda, scheduleHref, counts => counts)}
        />}
    </>
  )
}

const CLOCK_HOURS: AgendaColumn[] = Array.from({ length: 24 }, (_, hour) => {
  const name = String(hour).padStart(2, '0')
  return { key: name, name, title: `${name}:00` }
})

function toHourColumn(at: string, now: number): AgendaColumn {
  const instant = Date.parse(at)
  return { key: at, name: formatClock(instant, instant).replace(/:00$/, ''), title: formatClock(instant, now) }
}

function toDayRow(day: AgendaDay, dayHref: (start: number) => string): AgendaRow {
  return { key: String(day.start), name: formatDay(day.start), href: dayHref(day.start), counts: day.counts, total: day.total }
}

function toScheduleRows(
  agenda: ScheduleAgenda, href: AgendaProps['scheduleHref'], toCounts: (counts: readonly number[]) => readonly number[]
): AgendaRow[] {
  return agenda.schedules.map(schedule => {
    const name = scheduleTitle(schedule)
    return {
      key: schedule.schedule_id, name, counts: toCounts(schedule.counts), total: schedule.total,
      href: href(schedule.schedule_id),
      ...(name === schedule.task_name ? {} : { note: schedule.task_name })
    }
  })
}
