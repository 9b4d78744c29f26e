import { useCallback, useMemo, useState } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { ScheduleTable } from '../../components/schedules/schedule-table.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { countSchedules, readScheduleFilter, SCHEDULE_SORTINGS, toScheduleList } from '../../format/schedules/schedule-list.ts'
import { readSorting, sortingText } from '../../format/lists/sorting.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { NewScheduleDialog } from './new-schedule-dialog.tsx'
import { SchedulePanel } from './schedule-panel.tsx'
import { ListTools } from './list-tools.tsx'
import { useAllowed } from '../use-allowed.ts'
import { NoSchedules } from './no-schedules.tsx'
import { useScheduleListing } from './use-schedule-listing.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { ScheduleDeletion } from './schedule-deletion.tsx'
import { useSwitching } from './use-switching.tsx'

export function SchedulesPage() {
  const address = useAddress()
  const { href } = address
  const [enabledOnly, search, openId] = [address.get('enabled') === 'only', address.get('search') ?? '', address.get('schedule')]
  const [show, sort] = [readScheduleFilter(address.get('show')), address.get('sort')]
  const sorting = useMemo(() => readSorting(sort, SCHEDULE_SORTINGS), [sort])
  const isWhole = show !== null || sorting !== null
  const { data, failure, updatedAt, retry, total, overdue, onEnd, isGrowing } = useScheduleListing({ enabledOnly, search, isWhole })
  const isKnown = data !== undefined && !data.isCut
  const shown = useMemo(() => {
    if (!data || !isWhole) return data?.schedules
    if (!data.isCut) return toScheduleList(data.schedules, show, sorting)
    // A list that was cut is neither sorted nor filtered.
    return isGrowing || show !== null ? undefined : data.schedules
  }, [data, isWhole, isGrowing, show, sorting])
  const isTooLong = isWhole && data !== undefined && data.isCut && !isGrowing
  const counts = useMemo(() => data && countSchedules(data, overdue), [data, overdue])
  const actions = useAllowed()
  const [deleting, setDeleting] = useState<Schedule | null>(null)
  const { question, ...switches } = useSwitching(actions)
  const scheduleHref = useCallback((id: string) => href({ schedule: id }), [href])
  const close = useCallback(() => address.go({ schedule: null, edit: null }), [address])

  return (
    <>
      <div className="page-header">
        <h1>{scheduleTexts.title}</h1>
        {data && shown && <span className="muted">{countWords(show !== null && isKnown, shown.length, total, data.schedules.length)}</span>}
        <Stale failure={failure} updatedAt={updatedAt} />
        {actions.note && <span className="read-only-note">{actions.note}</span>}
        <ListTools
          search={search} enabledOnly={enabledOnly} shown={show} counts={counts} mayCreate={actions.may('schedules:create')}
        />
      </div>
      {isTooLong && <TooMany loaded={data.schedules.length} />}
      {shown
        ? shown.length === 0
          ? <NoSchedules
            isFiltered={enabledOnly || search !== '' || show !== null} mayCreate={actions.may('schedules:create')} href={address.href}
          />
          : <ScheduleTable
            schedules={shown} total={isWhole && isKnown ? shown.length : total} onEnd={onEnd} openId={openId} href={scheduleHref}
            sorting={isKnown ? sorting : null} sortHref={next => href({ sort: sortingText(next) })} {...switches}
            onDelete={actions.may('schedules:delete') ? setDeleting : null}
          />
        : failure
          ? <Failed what={scheduleTexts.title} failure={failure} onRetry={retry} />
          : !isTooLong && <SkeletonRows count={8} label={isWhole ? scheduleTexts.lookingThroughAll : scheduleTexts.loading} />}
      {data?.isCut && !isWhole && <SkeletonRows count={2} label={scheduleTexts.loadingMore} />}
      {openId && <SchedulePanel key={openId} scheduleId={openId} onClose={close} onDelete={setDeleting} />}
      {question}
      {deleting && <ScheduleDeletion schedule={deleting} onClose={() => setDeleting(null)} onDeleted={() => {
        if (openId === deleting.schedule_id)
          close()
      }} />}
      {address.get('new') && <NewScheduleDialog onClose={() => address.go({ new: null })} />}
    </>
  )
}

function countWords(isFiltered: boolean, shown: number, total: number | null, loaded: number): string {
  if (isFiltered && total !== null) return scheduleTexts.countOf(shown, total)
  return total === null ? scheduleTexts.moreThan(loaded) : scheduleTexts.count(total)
}

function TooMany({ loaded }: { loaded: number }) {
  return (
    <p className="alert" role="status">
      {scheduleTexts.tooMany(loaded)}
    </p>
  )
}
