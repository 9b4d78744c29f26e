import { Link } from 'wouter'
import { SearchField } from '../../components/search/search-field.tsx'
import { Icon } from '../../components/elements/icon.tsx'
import { formatCount } from '../../format/stats/number.ts'
import { SCHEDULE_FILTERS, type ScheduleFilterName } from '../../format/schedules/schedule-list.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly search: string
  readonly enabledOnly: boolean
  readonly shown: ScheduleFilterName | null
  /** How many each filter leaves, as far as it is known. */
  readonly counts: Readonly<Partial<Record<ScheduleFilterName, number>>>
  readonly mayCreate: boolean
}

/** Search, filters and ways on, above the list of schedules. */
export function ScheduleTools({ search, enabledOnly, shown, counts, mayCreate }: Props) {
  const { go, href } = useAddress()
  return (
    <div className="page-tools">
      <nav className="filter" aria-label={scheduleTexts.needLook}>
        {SCHEDULE_FILTERS.map(({ name }) =>
          <Link
            key={name} href={href({ show: shown === name ? null : name })} className="filter-item" title={scheduleTexts.filterTitles[name]}
            aria-current={shown === name ? 'true' : undefined}
          >
            {scheduleTexts.filters[name]} <span className="filter-count-short">{formatCountOrNothing(counts[name])}</span>
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

function formatCountOrNothing(count: number | undefined): string | null {
  return count === undefined ? null : formatCount(count)
}
