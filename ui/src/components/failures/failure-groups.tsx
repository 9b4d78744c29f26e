import { useMemo, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { FailureGroup } from '../../../../schemas/index.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { formatCompact } from '../../format/stats/number.ts'
import { BriefGrid } from '../grid/brief-grid.tsx'
import { ErrorLine } from '../executions/execution-cells.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { Moment } from '../elements/moment.tsx'
import { StateBadge } from './group-state.tsx'
import { TrendBars } from '../stats/trend-bars.tsx'
import { rowTexts } from '../../texts/execution-rows.ts'
import { failureTexts } from '../../texts/failures.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

interface Props {
  readonly groups: readonly FailureGroup[]
  readonly isRising: (group: FailureGroup) => boolean
  readonly href: (group: FailureGroup) => string
  /** What can be done with a group, shown in its row. */
  readonly action?: (group: FailureGroup) => ReactNode
  /** A page that lists all groups passes a `DataGrid`. */
  readonly Grid?: typeof BriefGrid
  readonly sorting?: Sorting | null
  readonly sortHref?: (sorting: Sorting) => string
}

const HEIGHTS = { comfortable: 53, compact: 44, phone: 74 }

/** Groups of failures with the same cause, one line each. */
export function FailureGroups({ groups, isRising, href, action, Grid = BriefGrid, sorting = null, sortHref }: Props) {
  const columns = useMemo(() => columnsOf(isRising, href, action), [isRising, href, action])
  return <Grid
    name="failure-groups" label={failureTexts.groups} columns={columns} rows={groups} total={groups.length} heights={HEIGHTS}
    isMeasured keyOf={keyOf} sorting={sorting} {...(sortHref && { sortHref })}
  />
}

function keyOf({ error_group: id }: FailureGroup): string {
  return id
}

function columnsOf(
  isRising: Props['isRising'], href: Props['href'], action: Props['action']
): ReadonlyArray<GridColumn<FailureGroup>> {
  return [
    {
      id: 'group', name: rowTexts.error, minPx: 160, grow: 1, phone: '1', sorts: 'up', className: 'two-lines',
      cell: group => <GroupCell group={group} isRising={isRising(group)} href={href(group)} />
    },
    {
      id: 'trend', name: failureTexts.columns.trend, minPx: 96, givesWay: 1, phone: '2', sorts: 'down',
      cell: ({ trend }) => <TrendBars counts={trend} label={failureTexts.trend} />
    },
    {
      id: 'count', name: failureTexts.columns.count, minPx: 64, isNumber: true, phone: '2 end', sorts: 'down',
      cell: ({ count }) => <span title={failureTexts.count(count)}>
        {formatCompact(count)}<span className="phone-word"> {failureTexts.onPhone(count)}</span>
      </span>
    },
    {
      id: 'when', name: failureTexts.lastSeen, minPx: 80, isNumber: true, phone: '2 end', sorts: 'down',
      cell: ({ last_seen_at: at }) => <Moment at={at} as="relative" />
    },
    ...action
      ? [{ id: 'action', name: groupTexts.action, isNameless: true, minPx: 104, isFixed: true, className: 'above', cell: action }]
      : []
  ]
}

function GroupCell({ group, isRising, href }: { group: FailureGroup; isRising: boolean; href: string }) {
  return (
    <>
      <Link href={href} className="row-link" data-row-link={group.error_group}><ErrorLine error={group} /></Link>
      <span className="muted">
        <StateBadge group={group} />
        {isRising &&
          <span
            className="tone-bad" title={failureTexts.risingTitle}
          >{failureTexts.rising} · </span>}
        {group.is_new && <span className="tone-warn" title={failureTexts.newTitle}>{failureTexts.new} · </span>}
        <bdi>
          {group.tasks.slice(0, 3).map(task => task.name).join(', ')}
        </bdi>{group.tasks.length > 3 && ` ${failureTexts.andMore(group.tasks.length - 3)}`}
        {group.frame !== null && <> · <bdi>{group.frame}</bdi></>}
      </span>
    </>
  )
}
