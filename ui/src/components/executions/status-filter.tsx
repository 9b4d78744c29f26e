import { Link } from 'wouter'
import { formatCount, formatTotal } from '../../format/stats/number.ts'
import { STATUSES, statusWord } from '../../format/executions/status.ts'
import type { ExecutionStatus } from '../../../../schemas/index.ts'
import { StatusMark } from '../elements/status-mark.tsx'

type Total = { value: number; relation: 'exact' | 'at_least' }

interface Props {
  readonly current: ExecutionStatus | null
  readonly counts: Readonly<Record<ExecutionStatus | 'all', Total | undefined>>
  readonly href: (status: ExecutionStatus | null) => string
}

export function StatusFilter({ current, counts, href }: Props) {
  return (
    <nav className="filter" aria-label="Status">
      {([null, ...STATUSES] as const).map(status => {
        const total = counts[status ?? 'all']
        return (
          <Link key={status ?? 'all'} href={href(status)} className="filter-item" aria-current={current === status ? 'true' : undefined}>
            {status ? <StatusMark mark={status} word={statusWord(status)} /> : 'All'}
            <span
              className="filter-count"
              title={total && total.relation === 'at_least'
                ? `At least ${formatCount(total.value)}: counting stopped there`
                : total ? undefined : 'Not counted'}
            >
              {total ? formatTotal(total) : '–'}
            </span>
          </Link>
        )
      })}
    </nav>
  )
}
