import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { sessionQuery } from '../../api/session.ts'
import { Empty } from '../../components/frame/states.tsx'
import type { useAddress } from '../../hooks/use-address.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly isFiltered: boolean
  readonly mayCreate: boolean
  readonly href: ReturnType<typeof useAddress>['href']
}

/** Why no schedule is shown. Observed queues can have schedules, too. */
export function NoSchedules({ isFiltered, mayCreate, href }: Props) {
  const isObserving = useQuery(sessionQuery).data?.supports.changes === false
  if (isFiltered)
    return <Empty title={scheduleTexts.noneMatches}>
      <p><Link href={href({ search: null, enabled: null, show: null })}>{scheduleTexts.showAll}</Link></p>
    </Empty>
  if (isObserving) return <Empty title={scheduleTexts.noneYet}><p>{scheduleTexts.ofOtherCode}</p></Empty>
  return <Empty title={scheduleTexts.noneYet}>
    <p>{scheduleTexts.howCreated} {mayCreate && <Link href={href({ new: '1' })}>{scheduleTexts.composeCall}</Link>}</p>
  </Empty>
}
