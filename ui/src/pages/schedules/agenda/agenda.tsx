import { useMemo } from 'react'
import type { ScheduleAgenda } from '../../../../../schemas/index.ts'
import { AgendaTable, type AgendaColumn, type AgendaRow } from '../../../components/schedules/agenda-table.tsx'
import { Section } from '../../../components/frame/section.tsx'
import { addUpDays, busiestHour, toAgendaDays, type AgendaDay } from '../../../format/schedules/agenda.ts'
import { scheduleTitle } from '../../../format/schedules/schedule-title.ts'
import { formatClock, formatDay } from '../../../format/time/time.ts'
import { useHour } from '../../../hooks/use-now.ts'
import { scheduleTexts } from '../../../texts/schedules.ts'

interface Props {
  readonly agenda: ScheduleAgenda
  readonly days: 1 | 7
  readonly dayHref: (start: number) => string
  readonly scheduleHref: (scheduleId: string) => string
}

/** The runs by hour, or by day for a week, with the schedules that make up the load. */
export function Agenda({ agenda, days, dayHref, scheduleHref }: Props) {
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
              label={scheduleTexts.daysHourly} rowsAre={scheduleTexts.day} columns={toClockHours(agenda.hours)}
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

/** The hours of any day. In a zone that differs from UTC by half an hour, each hour starts at half past. */
function toClockHours([first]: readonly string[]): AgendaColumn[] {
  const minutes = first === undefined ? '00' : formatClock(Date.parse(first), Date.parse(first)).slice(-2)
  return Array.from({ length: 24 }, (_, hour) => {
    const title = `${String(hour).padStart(2, '0')}:${minutes}`
    return { key: title, name: title.replace(/:00$/, ''), title }
  })
}

function toHourColumn(at: string, now: number): AgendaColumn {
  const instant = Date.parse(at)
  return { key: at, name: formatClock(instant, instant).replace(/:00$/, ''), title: formatClock(instant, now) }
}

function toDayRow(day: AgendaDay, dayHref: (start: number) => string): AgendaRow {
  return { key: String(day.start), name: formatDay(day.start), href: dayHref(day.start), counts: day.counts, total: day.total }
}

function toScheduleRows(
  agenda: ScheduleAgenda, href: Props['scheduleHref'], toCounts: (counts: readonly number[]) => readonly number[]
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
