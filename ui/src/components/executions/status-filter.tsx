import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatTotal } from '../../format/stats/number.ts'
import { STATUSES, statusWord } from '../../format/executions/status.ts'
import type { ExecutionStatus } from '../../../../schemas/index.ts'
import { StatusMark } from '../elements/status-mark.tsx'
import { executionTexts } from '../../texts/executions.ts'

type Total = { value: number; relation: 'exact' | 'at_least' }

interface Props {
  readonly current: ExecutionStatus | null
  readonly counts: Readonly<Record<ExecutionStatus | 'all', Total | undefined>>
  readonly stale: ReactNode
  readonly href: (status: ExecutionStatus | null) => string
}

export function StatusFilter({ current, counts, stale, href }: Props) {
  return (
    <nav className="filter" aria-label={executionTexts.status}>
      {([null, ...STATUSES] as const).map(status => {
        const total = counts[status ?? 'all']
        return (
          <Link key={status ?? 'all'} href={href(status)} className="filter-item" aria-current={current === status ? 'true' : undefined}>
            {status ? <StatusMark mark={status} word={statusWord(status)} /> : executionTexts.all}
            <span
              className="filter-count"
              title={total && total.relation === 'at_least'
                ? executionTexts.countedAtLeast(total.value)
                : total ? undefined : executionTexts.notCounted}
            >
              {total ? formatTotal(total) : '–'}
            </span>
          </Link>
        )
      })}
      {stale}
    </nav>
  )
}
