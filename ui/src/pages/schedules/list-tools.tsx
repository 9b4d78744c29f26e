import { Link } from 'wouter'
import { SearchField } from '../../components/search/search-field.tsx'
import { Icon } from '../../components/elements/icon.tsx'
import { formatTotal } from '../../format/stats/number.ts'
import { SCHEDULE_FILTERS, type countSchedules, type ScheduleFilterName } from '../../format/schedules/schedule-list.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly search: string
  readonly enabledOnly: boolean
  readonly shown: ScheduleFilterName | null
  /** Undefined before the first response. */
  readonly counts: ReturnType<typeof countSchedules> | undefined
  readonly mayCreate: boolean
}

/** Search, filters and links above the list of schedules. */
export function ListTools({ search, enabledOnly, shown, counts, mayCreate }: Props) {
  const { go, href } = useAddress()
  return (
    <div className="page-tools">
      <nav className="filter" aria-label={scheduleTexts.needLook}>
        {SCHEDULE_FILTERS.map(({ name }) =>
          <Link
            key={name} href={href({ show: shown === name ? null : name })} className="filter-item"
            title={titleOf(name, counts?.[name])}
            aria-current={shown === name ? 'true' : undefined}
          >
            {scheduleTexts.filters[name]} <span className="filter-count-short">{counts && <Counted of={counts[name]} />}</span>
          </Link>)}
      </nav>
      <SearchField label={scheduleTexts.search} value={search} onChange={text => go({ search: text }, { replace: true })} />
      <Link href="/schedules/agenda" className="button">{scheduleTexts.agenda}</Link>
      <button
        type="button" className="button toggle" aria-pressed={enabledOnly} onClick={() => go({ enabled: enabledOnly ? null : 'only' })}
      >
        {scheduleTexts.enabledOnly}
      </button>
      {mayCreate && <Link href={href({ new: '1' })} className="button button-primary"><Icon name="plus" />{scheduleTexts.new}</Link>}
    </div>
  )
}

type Count = ReturnType<typeof countSchedules>[ScheduleFilterName]

/** Whether the count is unknown: if none of the loaded schedules match, others still may. */
function isUncounted({ value, relation }: Count): boolean {
  return value === 0 && relation === 'at_least'
}

function titleOf(name: ScheduleFilterName, count: Count | undefined): string {
  const title = scheduleTexts.filterTitles[name]
  return count?.relation === 'at_least' ? `${title}. ${scheduleTexts.countedInPart}` : title
}

function Counted({ of }: { of: Count }) {
  return isUncounted(of) ? '–' : formatTotal(of)
}
