import { Link } from 'wouter'
import type { FailureGroup } from '../../../schemas/index.ts'
import { formatCompact, plural } from '../format/number.ts'
import { ErrorLine } from './execution-row.tsx'
import { Moment } from './moment.tsx'
import { TrendBars } from './trend-bars.tsx'

interface Props {
  readonly groups: readonly FailureGroup[]
  readonly isRising: (group: FailureGroup) => boolean
  readonly href: (group: FailureGroup) => string
}

/** Failures with the same cause, a line each. */
export function FailureGroups({ groups, isRising, href }: Props) {
  return (
    <div className="grid failure-groups" role="table" aria-label="Failure groups">
      <div role="rowgroup" className="grid-head">
        <div role="row" className="grid-row">
          <span role="columnheader">Error</span>
          <span role="columnheader">Last 24 hours</span>
          <span role="columnheader" className="num">Failures</span>
          <span role="columnheader" className="num">Last seen</span>
        </div>
      </div>
      <div role="rowgroup">
        {groups.map(group => (
          <div role="row" key={group.error_group} className="grid-row">
            <span role="cell" className="cell-group two-lines">
              <Link href={href(group)} className="row-link" data-row-link><ErrorLine error={group} /></Link>
              <span className="muted">
                {isRising(group) &&
                  <span
                    className="tone-bad" title="Of what finished in the last three hours, more than twice the share of the hours before"
                  >↗ rising · </span>}
                {group.is_new && <span className="tone-warn" title="First seen in the last 24 hours">new · </span>}
                <bdi>
                  {group.tasks.slice(0, 3).map(task => task.name).join(', ')}
                </bdi>{group.tasks.length > 3 && ` and ${group.tasks.length - 3} more`}
                {group.frame !== null && <> · <bdi>{group.frame}</bdi></>}
              </span>
            </span>
            <span role="cell" className="cell-trend">
              <TrendBars counts={group.trend} label="Failures in each of the last 24 hours, oldest first" />
            </span>
            <span role="cell" className="num cell-count" title={plural(group.count, 'failure')}>{formatCompact(group.count)}</span>
            <span role="cell" className="num cell-when"><Moment at={group.last_seen_at} as="relative" /></span>
          </div>
        ))}
      </div>
    </div>
  )
}
