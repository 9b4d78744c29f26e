import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { failureListQuery } from '../../api/failures.ts'
import { hourlyLoadQuery } from '../../api/timeseries.ts'
import { FailureGroups } from '../../components/failures/failure-groups.tsx'
import { HoursNote } from '../../components/failures/hours-note.tsx'
import { Section } from '../../components/frame/section.tsx'
import { PageLink } from '../../components/elements/page-link.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import { currentTime } from '../../format/time/clock.ts'
import { addressOf, byUrgency, isRising } from '../../format/failures/failure-groups.ts'
import { rangeParameters, rangePhrase, type TimeRange } from '../../format/time/time-range.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useStill } from '../../hooks/use-still.ts'
import { LOAD_POLLED_EVERY_MS } from '../failures/use-failure-groups.ts'
import { failureTexts } from '../../texts/failures.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

const MAX_GROUPS_SHOWN = 6

/** The failure groups in the time range of the page. */
export function DashboardGroups({ range }: { range: TimeRange }) {
  const query = useQuery({ ...failureListQuery({ range, taskName: null, view: 'open' }, 1), ...usePolling(10_000) })
  const { data: listing, failure, updatedAt } = useSettled(query)
  const { data: load = [] } = useSettled(useQuery({ ...hourlyLoadQuery, ...usePolling(LOAD_POLLED_EVERY_MS) }))
  const [isWhole, setWhole] = useState(false)
  // Groups of the previous range, kept while these load, would be wrong.
  const newest = query.isPlaceholderData ? undefined : listing
  const { shown: data, hold } = useStill(useMemo(
    // Only the server knows the order of a list that was cut.
    () => newest && { ...newest, items: newest.isCut ? newest.items : newest.items.toSorted(byUrgency(load, currentTime())) },
    [newest, load]
  ), JSON.stringify(range))
  const all = `/failures${withParameters('', rangeParameters(range))}`
  const shown = data?.items.slice(0, isWhole ? undefined : MAX_GROUPS_SHOWN) ?? []
  const hidden = data ? data.items.length - shown.length : 0
  return (
    <Section
      title={failureTexts.groups}
      aside={<span className="section-aside">
        <Stale failure={failure} updatedAt={updatedAt} />
        {shown.length > 0 && <HoursNote range={range} />}
        {shown.length > 0 && (data?.isCut ? failureTexts.newestFirst : failureTexts.urgentFirst)}
        <PageLink href={all} className="quiet-link" isWay>{failureTexts.all}</PageLink>
      </span>}
    >
      {data
        ? data.items.length === 0 && !data.isCut
          ? <p className="muted">{groupTexts.noneOf.open(rangePhrase(range, currentTime()))}</p>
          : <div {...hold}>
            <FailureGroups groups={shown} isRising={group => isRising(group, load)} href={addressOf} />
            {hidden > 0 &&
              <button type="button" className="button more-button" onClick={() => setWhole(true)}>
                {failureTexts.showMoreGroups(hidden)}
              </button>}
            {hidden === 0 && data.isCut &&
              <p className="end muted">
                {failureTexts.andGroups(data.total.value - data.items.length)}{data.total.relation === 'at_least' &&
                  failureTexts.orMore}: {' '}
                <Link href={all}>{failureTexts.allOfThisTime}</Link>
              </p>}
          </div>
        : failure
          ? <Failed what={failureTexts.groups} failure={failure} isBrief />
          : <SkeletonRows count={3} label={failureTexts.loadingGroups} />}
    </Section>
  )
}
