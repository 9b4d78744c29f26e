import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { MAX_ACTOR_LENGTH } from '../../../../schemas/limits.ts'
import { actionWord, AUDIT_OUTCOME_NAMES, outcomeMark } from '../../format/audit/audit-words.ts'
import { actionsToOffer, type AuditFilter } from '../../format/audit/audit-filter.ts'
import type { AddressChange } from '../../format/places/address.ts'
import { useTyped } from '../../hooks/use-typed.ts'
import { Icon } from '../elements/icon.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { auditTexts } from '../../texts/audit.ts'

interface Props {
  readonly filter: AuditFilter
  /** The suggested actors. Any other can be typed. */
  readonly actors: readonly string[]
  /** Null if the reader may not see them. */
  readonly taskNames: readonly string[] | null
  readonly href: (change: AddressChange) => string
  readonly onChange: (change: AddressChange) => void
  /** The time range. */
  readonly children: ReactNode
}

export function AuditFilters({ filter, actors, taskNames, href, onChange, children }: Props) {
  const { filters } = auditTexts
  const known = taskNames ?? []
  const names = filter.taskName !== null && !known.includes(filter.taskName) ? [filter.taskName, ...known] : known
  return (
    <div className="filters audit-filters">
      <nav className="filter" aria-label={filters.outcome}>
        {([null, ...AUDIT_OUTCOME_NAMES] as const).map(outcome => (
          <Link
            key={outcome ?? ''} href={href({ outcome })} className="filter-item"
            aria-current={filter.outcome === outcome ? 'true' : undefined}
          >
            {outcome ? <StatusMark {...outcomeMark(outcome)} /> : filters.everyOutcome}
          </Link>
        ))}
      </nav>
      <div className="filters-fields">
        {filter.scheduleId !== null &&
          <Chip
            name={filters.schedule} value={filter.scheduleId} label={filters.everySchedule} onClick={() => onChange({ schedule: null })}
          />}
        {filter.executionId !== null &&
          <Chip
            name={filters.execution} value={filter.executionId} label={filters.everyExecution}
            onClick={() => onChange({ execution: null })}
          />}
        <ActorField value={filter.actor ?? ''} actors={actors} onChange={actor => onChange({ actor })} />
        <select
          aria-label={filters.action} value={filter.action ?? ''} onChange={event => onChange({ action: event.currentTarget.value })}
        >
          <option value="">{filters.everyAction}</option>
          {actionsToOffer(filter.action).map(action => <option key={action} value={action}>{actionWord(action)}</option>)}
        </select>
        {/* Shown even before the names are loaded, so that nothing moves. */}
        {(taskNames !== null || names.length > 0) &&
          <select
            aria-label={filters.task} value={filter.taskName ?? ''} onChange={event => onChange({ task: event.currentTarget.value })}
          >
            <option value="">{filters.everyTask}</option>
            {names.map(name => <option key={name} value={name}>{name}</option>)}
          </select>}
        {children}
      </div>
    </div>
  )
}

/** The server compares whole names, so the search starts only when the name is complete: at Enter, or when the field loses the focus. */
function ActorField({ value, actors, onChange }: { value: string; actors: readonly string[]; onChange: (actor: string) => void }) {
  const { text, type, send } = useTyped(value, onChange)
  const commit = (actor: string): void => { if (actor.trim() !== value) send(actor.trim()) }
  return (
    <form className="actor-field" onSubmit={event => { event.preventDefault(); commit(text) }}>
      <input
        type="text" aria-label={auditTexts.filters.actor} placeholder={auditTexts.columns.who} list="audit-actors" data-search
        maxLength={MAX_ACTOR_LENGTH} value={text} autoComplete="off" spellCheck={false} onBlur={() => commit(text)}
        onInput={event => {
          const typed = event.currentTarget.value
          type(typed)
          if (typed === '' || actors.includes(typed)) commit(typed)
        }}
      />
      <datalist id="audit-actors">{actors.map(actor => <option key={actor} value={actor} />)}</datalist>
    </form>
  )
}

function Chip({ name, value, label, onClick }: { name: string; value: string; label: string; onClick: () => void }) {
  return <button type="button" className="chip" onClick={onClick} aria-label={label} title={value}>
    <span>{name} <bdi>{value}</bdi></span><Icon name="close" />
  </button>
}
