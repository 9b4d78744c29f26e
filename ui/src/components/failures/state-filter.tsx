import { Link } from 'wouter'
import { FAILURE_VIEWS, type FailureView } from '../../format/failures/failure-filter.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

/** Which groups are listed: those that need work, or others. */
export function StateFilter({ current, href }: { current: FailureView; href: (view: FailureView) => string }) {
  return (
    <nav className="filter" aria-label={groupTexts.state}>
      {FAILURE_VIEWS.map(view => (
        <Link key={view} href={href(view)} className="filter-item" aria-current={current === view ? 'true' : undefined}>
          {groupTexts.views[view]}
        </Link>
      ))}
    </nav>
  )
}
