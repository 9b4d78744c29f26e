import { useMemo } from 'react'
import { Link } from 'wouter'
import type { FailureGroup } from '../../../../schemas/index.ts'
import { formatCompact, plural } from '../../format/stats/number.ts'
import { DataGrid } from '../grid/data-grid.tsx'
import { ErrorLine } from '../executions/execution-row.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { Moment } from '../elements/moment.tsx'
import { TrendBars } from '../stats/trend-bars.tsx'

interface Props {
  readonly groups: readonly FailureGroup[]
  readonly isRising: (group: FailureGroup) => boolean
  readonly href: (group: FailureGroup) => string
}

const HEIGHTS = { comfortable: 53, compact: 44, phone: 74 }

/** Failures with the same cause, a line each. */
export function FailureGroups({ groups, isRising, href }: Props) {
  const columns = useMemo(() => columnsOf(isRising, href), [isRising, href])
  return <DataGrid
    name="failure-groups" label="Failure groups" columns={columns} rows={groups} total={groups.length} heights={HEIGHTS} isMeasured isBrief
    keyOf={({ error_group: id }) => id}
  />
}

function columnsOf(isRising: Props['isRising'], href: Props['href']): ReadonlyArray<GridColumn<FailureGroup>> {
  return [
    {
      id: 'group', name: 'Error', minPx: 160, grow: 1, phone: '1', className: 'two-lines',
      cell: group => <GroupCell group={group} isRising={isRising(group)} href={href(group)} />
    },
    {
      id: 'trend', name: 'Last 24 hours', minPx: 96, givesWay: 1, phone: '2',
      cell: ({ trend }) => <TrendBars counts={trend} label="Failures in each of the last 24 hours, oldest first" />
    },
    {
      id: 'count', name: 'Failures', minPx: 64, isNumber: true, phone: '2 end',
      cell: ({ count }) => <span title={plural(count, 'failure')}>{formatCompact(count)}<span className="phone-word"> failures</span></span>
    },
    {
      id: 'when', name: 'Last seen', minPx: 80, isNumber: true, phone: '2 end',
      cell: ({ last_seen_at: at }) => <Moment at={at} as="relative" />
    }
  ]
}

function GroupCell({ group, isRising, href }: { group: FailureGroup; isRising: boolean; href: string }) {
  return (
    <>
      <Link href={href} className="row-link" data-row-link={group.error_group}><ErrorLine error={group} /></Link>
      <span className="muted">
        {isRising &&
          <span
            className="tone-bad" title="Of what finished in the last three hours, more than twice the share of the hours before"
          >↗ rising · </span>}
        {group.is_new && <span className="tone-warn" title="First seen in the last 24 hours">new · </span>}
        <bdi>
          {group.tasks.slice(0, 3).map(task => task.name).join(', ')}
        </bdi>{group.tasks.length > 3 && ` and ${group.tasks.length - 3} more`}
        {group.frame !== null && <> · <bdi>{group.frame}</bdi></>}
      </span>
    </>
  )
}
