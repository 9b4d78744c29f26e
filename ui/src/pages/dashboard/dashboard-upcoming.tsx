import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { upcomingQuery } from '../../api/schedules.ts'
import { Section } from '../../components/frame/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { UpcomingList } from '../../components/schedules/upcoming-list.tsx'
import { withParameters } from '../../format/places/address.ts'
import { usePolling } from '../../hooks/use-pause.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useStill } from '../../hooks/use-still.ts'
import { texts } from '../../texts/texts.ts'

const UPCOMING_SHOWN = 8

/** The schedules that run next. */
export function DashboardUpcoming() {
  const { data, failure, updatedAt } = useSettled(useQuery({ ...upcomingQuery(UPCOMING_SHOWN), ...usePolling(5_000) }))
  const aside = <span className="section-aside">
    <Stale failure={failure} updatedAt={updatedAt} /><Link href="/schedules" className="quiet-link">{texts.stats.allSchedules}</Link>
  </span>
  const { shown: upcoming, hold } = useStill(data?.schedules)
  return (
    <Section title={texts.stats.upcoming} aside={aside}>
      {upcoming
        ? upcoming.length === 0
          ? <Empty title={texts.stats.nothingScheduled}>
            <p>{texts.stats.scheduledAppear} <Link href="/schedules?new=1">{texts.stats.composeSchedule}</Link></p>
          </Empty>
          : <div {...hold}><UpcomingList schedules={upcoming} href={id => `/schedules${withParameters('', { schedule: id })}`} /></div>
        : failure
          ? <Failed what={texts.stats.schedules} failure={failure} isBrief />
          : <SkeletonRows count={UPCOMING_SHOWN} label={texts.schedules.loading} />}
    </Section>
  )
}
