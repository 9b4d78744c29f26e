import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { Link } from 'wouter'
import { sessionQuery } from '../../api/session.ts'
import { tasksQuery } from '../../api/tasks.ts'
import { AuditFilters } from '../../components/audit/audit-filters.tsx'
import { AuditTable } from '../../components/audit/audit-table.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { RangePicker } from '../../components/stats/range-picker.tsx'
import { RangeProblem } from '../../components/stats/range-problem.tsx'
import { isAuditFiltered, NO_AUDIT_FILTER, type AuditFilter } from '../../format/audit/audit-filter.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useAuditFilter } from '../../hooks/use-audit-filter.ts'
import { useAuditList, type AuditList } from '../../hooks/use-audit-list.ts'
import { useTimeRange } from '../../hooks/use-time-range.ts'
import { useAllowed } from '../use-allowed.ts'
import { AuditPanel } from './audit-panel.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { frameTexts } from '../../texts/frame.ts'
import { MINUTE_MS } from '../../format/time/units.ts'

const TASKS_ASKED_EVERY_MS = MINUTE_MS
const SAID_FROM = 20
const USUALLY_KEPT_DAYS = 365
const USUALLY_KEPT_COUNT = 20_000

/** Who changed what: every write that someone requested, filtered, and one of them open beside the list. */
export function AuditPage() {
  const address = useAddress()
  const filter = useAuditFilter()
  const { range, problem, parameters } = useTimeRange(null)
  const list = useAuditList(filter)
  const actors = useActors(filter, list)
  const maySeeTasks = useAllowed().may('tasks:view')
  const { data: tasks } = useQuery({ ...tasksQuery, staleTime: TASKS_ASKED_EVERY_MS, enabled: maySeeTasks })
  const openId = address.get('entry')
  const close = useCallback(() => address.go({ entry: null }), [address])
  return (
    <>
      <div className="history-section">
        <div className="page-header">
          <h1>{auditTexts.title}</h1>
          <Stale failure={list.headFailure} updatedAt={list.headUpdatedAt} />
          <div className="page-tools"><AuditNews list={list} /></div>
        </div>
        <p className="muted audit-lead">
          {auditTexts.lead} <Kept kept={list.kept} />
        </p>
        <RangeProblem problem={problem} />
        <AuditFilters
          filter={filter} actors={actors} taskNames={maySeeTasks ? tasks?.map(task => task.name) ?? [] : null}
          href={address.href} onChange={change => address.go(change)}
        >
          <RangePicker
            range={range} hasAllTime href={each => address.href(parameters(each))} onPick={each => address.go(parameters(each))}
          />
        </AuditFilters>
        <Entries filter={filter} list={list} openId={openId} />
        <AuditEnd list={list} />
      </div>
      {openId &&
        <AuditPanel
          key={openId} entryId={openId} listed={list.entries.find(entry => entry.entry_id === openId)} onClose={close}
        />}
    </>
  )
}

/** Takes up the same room before the response, so that nothing moves. */
function Kept({ kept }: { kept: AuditList['kept'] }) {
  return kept
    ? <>{auditTexts.kept(Math.floor(kept.days), kept.count)}</>
    : <span className="audit-kept-later" aria-hidden="true">{auditTexts.kept(USUALLY_KEPT_DAYS, USUALLY_KEPT_COUNT)}</span>
}

/** The actors of the loaded entries, the actor of the filter, and the reader. */
function useActors(filter: AuditFilter, { entries }: AuditList): readonly string[] {
  const user = useQuery(sessionQuery).data?.user ?? null
  return useMemo(
    () => [...new Set([filter.actor, user, ...entries.map(({ actor }) => actor)])].filter(actor => actor !== null).toSorted(),
    [filter.actor, user, entries]
  )
}

function Entries({ filter, list, openId }: { filter: AuditFilter; list: AuditList; openId: string | null }) {
  const { href } = useAddress()
  const entryHref = useCallback((id: string) => href({ entry: id }), [href])
  const { settled, entries } = list
  if (!settled.data)
    return settled.failure
      ? <Failed what={auditTexts.title} failure={settled.failure} onRetry={settled.retry} />
      : <SkeletonRows count={12} label={auditTexts.loading} />
  if (entries.length > 0)
    return <AuditTable
      entries={entries} total={list.isComplete ? entries.length : null} openId={openId} href={entryHref} onEnd={list.onEnd}
      onHold={list.hold}
    />
  if (list.isPartial) return null
  if (isAuditFiltered(filter))
    return <Empty title={auditTexts.noneMatches}><p><Link href={href(NO_AUDIT_FILTER)}>{auditTexts.showAll}</Link></p></Empty>
  return <Empty title={auditTexts.none}><p>{auditTexts.noneDetail}</p></Empty>
}

/** Says what is not in the list yet, with a button that loads it. */
function AuditNews({ list: { isStill, phase, news, hasMoreNews, readAgain, showNews } }: { list: AuditList }) {
  if (isStill)
    return <button type="button" className="button button-small" title={auditTexts.searchAgainTitle} onClick={readAgain}>
      {auditTexts.searchAgain}
    </button>
  return news === 0 || phase === 'following'
    ? null
    : <button type="button" className="button button-small button-news" onClick={showNews}>
      {auditTexts.showNews(news, hasMoreNews)}
    </button>
}

/** Shown below the last row: that there is more, or how far a search has got. */
function AuditEnd({ list: { phase, entries, isPartial, isComplete, loadMore, stop, goOn } }: { list: AuditList }) {
  const goesOn = phase === 'searching'
  return (
    <>
      {phase === 'extending' && <SkeletonRows count={3} label={auditTexts.loadingMore} />}
      {phase === 'retrying' &&
        <p className="end">
          {auditTexts.moreNotLoaded} <button type="button" className="button button-small" onClick={loadMore}>{frameTexts.tryAgain}</button>
        </p>}
      {isPartial && phase !== 'retrying' &&
        <p className="end">
          <span role="status">{goesOn ? auditTexts.stillLooking(entries.length) : auditTexts.lookedSoFar(entries.length)}</span>{' '}
          <button type="button" className="button button-small" onClick={goesOn ? stop : goOn}>
            {goesOn ? auditTexts.stop : auditTexts.goOn}
          </button>
        </p>}
      {isComplete && entries.length > SAID_FROM && <p className="end muted">{auditTexts.thatIsAll(entries.length)}</p>}
    </>
  )
}
