import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { upcomingQuery } from '../../api/schedules.ts'
import { sessionQuery } from '../../api/session.ts'
import { PageLink } from '../../components/elements/page-link.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { UpcomingList } from '../../components/schedules/upcoming-list.tsx'
import { withParameters } from '../../format/places/address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useStill } from '../../hooks/use-still.ts'
import { statsTexts } from '../../texts/stats.ts'

const MAX_SHOWN = 8

/** The schedules that run next. */
export function DashboardUpcoming() {
  const { data, failure, updatedAt } = useSettled(useQuery({ ...upcomingQuery(MAX_SHOWN), ...usePolling(5_000) }))
  const isObserving = useQuery(sessionQuery).data?.supports.changes === false
  const aside = <span className="section-aside">
    <Stale failure={failure} updatedAt={updatedAt} />
    <PageLink href="/schedules" className="quiet-link" isWay>{statsTexts.allSchedules}</PageLink>
  </span>
  const { shown: upcoming, hold } = useStill(data?.schedules)
  return (
    <Section title={statsTexts.upcoming} aside={aside}>
      {upcoming
        ? upcoming.length === 0
          ? isObserving
            ? <Empty title={statsTexts.nothingScheduled}><p>{statsTexts.schedulesOfOtherCode}</p></Empty>
            : <Empty title={statsTexts.nothingScheduled}>
              <p>{statsTexts.scheduledAppear} <Link href="/schedules?new=1">{statsTexts.composeSchedule}</Link></p>
            </Empty>
          : <div {...hold}><UpcomingList schedules={upcoming} href={id => `/schedules${withParameters('', { schedule: id })}`} /></div>
        : failure
          ? <Failed what={statsTexts.schedules} failure={failure} isBrief />
          : <SkeletonRows count={MAX_SHOWN} label={statsTexts.loadingSchedules} />}
    </Section>
  )
}
