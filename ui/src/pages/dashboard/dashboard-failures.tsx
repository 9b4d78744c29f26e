import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { executionHeadQuery } from '../../api/executions.ts'
import { FailureTable } from '../../components/failures/failure-table.tsx'
import { PageLink } from '../../components/elements/page-link.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import { currentTime } from '../../format/time/clock.ts'
import { everyExecution } from '../../format/executions/execution-filter.ts'
import { rangeParameters, rangePhrase, type TimeRange } from '../../format/time/time-range.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useStill } from '../../hooks/use-still.ts'
import { failureTexts } from '../../texts/failures.ts'

const MAX_SHOWN = 8

/** The last executions that failed in the time range of the page. */
export function DashboardFailures({ range }: { range: TimeRange }) {
  const filter = useMemo(() => ({ ...everyExecution, status: 'failed' as const, range }), [range])
  const { data: newest, failure, updatedAt } = useSettled(useQuery({ ...executionHeadQuery(filter, MAX_SHOWN), ...usePolling(5_000) }))
  const { shown: data, hold } = useStill(newest, JSON.stringify(range))
  const parameters = { status: 'failed', ...rangeParameters(range) }
  const aside = <span className="section-aside">
    <Stale failure={failure} updatedAt={updatedAt} />
    <PageLink href={`/executions${withParameters('', parameters)}`} className="quiet-link" isWay>{failureTexts.allFailed}</PageLink>
  </span>
  return (
    <Section title={failureTexts.recent} aside={aside}>
      {data
        ? data.items.length === 0
          ? <Empty title={failureTexts.noneFailed(rangePhrase(range, currentTime()))}>
            <p>{failureTexts.failedAppear}</p>
          </Empty>
          : <div {...hold}>
            <FailureTable executions={data.items} href={id => `/executions${withParameters('', { ...parameters, execution: id })}`} />
          </div>
        : failure
          ? <Failed what={failureTexts.failedExecutions} failure={failure} isBrief />
          : <SkeletonRows count={MAX_SHOWN} label={failureTexts.loadingFailed} />}
    </Section>
  )
}
