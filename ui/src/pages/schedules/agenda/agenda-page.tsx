import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { agendaQuery } from '../../../api/schedules.ts'
import { Empty, Failed, SkeletonRows, Stale } from '../../../components/frame/states.tsx'
import { dayText, toAgendaSpan, type AgendaSpan } from '../../../format/schedules/agenda.ts'
import { formatDay, zoneWords } from '../../../format/time/time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../format/time/units.ts'
import { AgendaPanel } from './agenda-panel.tsx'
import { useAddress } from '../../../hooks/use-address.ts'
import { useHour } from '../../../hooks/use-now.ts'
import { usePolling } from '../../../hooks/use-polling.ts'
import { useSettled } from '../../../hooks/use-settled.ts'
import { scheduleTexts } from '../../../texts/schedules.ts'
import { Agenda } from './agenda.tsx'

/** How many runs are planned when: the load of a day or a week. */
export function AgendaPage() {
  const address = useAddress()
  const hour = useHour()
  const days = address.get('days') === '7' ? 7 : 1
  const isPast = address.get('days') === 'past'
  const day = address.get('day')
  const { from, to } = isPast ? lastDay(hour) : toAgendaSpan(days, day, hour)
  const openId = address.get('schedule')
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...agendaQuery(from, to), ...usePolling(MINUTE_MS) }))
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

/** The current hour, and the 23 before it. */
function lastDay(hour: number): AgendaSpan {
  const to = Math.floor(hour / HOUR_MS) * HOUR_MS + HOUR_MS
  return { from: to - DAY_MS, to }
}

function spanWords(days: 1 | 7, day: string | null, from: number): string {
  if (days === 7) return scheduleTexts.sevenDays
  return day === null ? scheduleTexts.theNextDay : formatDay(from)
}
