import { Link } from 'wouter'
import { SearchField } from '../../components/search/search-field.tsx'
import { Icon } from '../../components/elements/icon.tsx'
import { formatCount } from '../../format/stats/number.ts'
import { SCHEDULE_FILTERS, type ScheduleFilterName } from '../../format/schedules/schedule-list.ts'
import { useAddress } from '../../hooks/use-address.ts'

interface Props {
  readonly search: string
  readonly enabledOnly: boolean
  readonly shown: ScheduleFilterName | null
  /** How many each filter leaves; null while the whole list is not known. */
  readonly counts: Readonly<Record<ScheduleFilterName, number>> | null
  readonly mayCreate: boolean
}

/** Search, filters and ways on, above the list of schedules. */
export function ScheduleTools({ search, enabledOnly, shown, counts, mayCreate }: Props) {
  const { go, href } = useAddress()
  return (
    <div className="page-tools">
      <nav className="filter" aria-label="Schedules that need a look">
        {SCHEDULE_FILTERS.map(({ name, word, title }) =>
          <Link
            key={name} href={href({ show: shown === name ? null : name })} className="filter-item" title={title}
            aria-current={shown === name ? 'true' : undefined}
          >
            {word} <span className="filter-count-short">{counts && formatCount(counts[name])}</span>
          </Link>)}
      </nav>
      <SearchField label="Search schedules" value={search} onChange={text => go({ search: text }, { replace: true })} />
      <Link href="/schedules/agenda" className="button">Agenda</Link>
      <button
        type="button" className="button toggle" aria-pressed={enabledOnly} onClick={() => go({ enabled: enabledOnly ? null : 'only' })}
      >
        Enabled only
      </button>
      {mayCreate && <Link href={href({ new: '1' })} className="button button-primary"><Icon name="plus" />New schedule</Link>}
    </div>
  )
}
