import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../../components/elements/page-link.tsx'
import { failureListQuery } from '../../api/failures.ts'
import { FailureGroups } from '../../components/failures/failure-groups.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import { addressOf } from '../../format/failures/failure-groups.ts'
import { formatTotal } from '../../format/stats/number.ts'
import { lastOf } from '../../format/time/time-range.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { failureTexts } from '../../texts/failures.ts'
import { taskTexts } from '../../texts/tasks.ts'

const LAST_DAY = lastOf('24h')
const POLLED_EVERY_MS = 15_000
const MAX_SHOWN = 5

/** The failure groups of a task in the last 24 hours, the latest first. */
export function TaskFailures({ name }: { name: string }) {
  const { data, failure, updatedAt } = useSettled(useQuery({
    ...failureListQuery({ range: LAST_DAY, taskName: name, view: 'all' }, 1), ...usePolling(POLLED_EVERY_MS)
  }))
  const all = <PageLink href={`/failures${withParameters('', { task: name, state: 'all' })}`} isWay className="quiet-link">
    {data && data.total.value > MAX_SHOWN ? taskTexts.allGroups(formatTotal(data.total)) : taskTexts.itsFailures}
  </PageLink>
  return (
    <Section
      title={failureTexts.groups} aside={<span className="section-aside"><Stale failure={failure} updatedAt={updatedAt} />{all}</span>}
    >
      {data
        ? data.items.length === 0
          ? <p className="muted">{taskTexts.hasNotFailed}</p>
          // The trend of a group covers all its tasks, so only its own page says whether it is rising.
          : <FailureGroups groups={data.items.slice(0, MAX_SHOWN)} isRising={() => false} href={addressOf} />
        : failure
          ? <Failed what={failureTexts.groups} failure={failure} isBrief />
          : <SkeletonRows count={2} label={failureTexts.loadingGroups} />}
    </Section>
  )
}
