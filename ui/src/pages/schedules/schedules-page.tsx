import { useMutation } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { deleteSchedule } from '../../api/schedules.ts'
import { ReasonDialog } from '../../components/actions/reason-dialog.tsx'
import { DeleteScheduleDialog } from '../../components/schedules/delete-schedule-dialog.tsx'
import { ScheduleTable } from '../../components/schedules/schedule-table.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { countSchedules, readScheduleFilter, SCHEDULE_SORTINGS, toScheduleList } from '../../format/schedules/schedule-list.ts'
import { readSorting, sortingText } from '../../format/lists/sorting.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { notify } from '../../hooks/use-notices.ts'
import { NewScheduleDialog } from './new-schedule-dialog.tsx'
import { SchedulePanel } from './schedule-panel.tsx'
import { ScheduleTools } from './schedule-tools.tsx'
import { useAllowed } from '../use-allowed.ts'
import { NoSchedules } from './no-schedules.tsx'
import { useReason } from '../use-reason.ts'
import { useEnabling } from './use-enabling.ts'
import { useScheduleListing } from './use-schedule-listing.ts'
import { actionTexts } from '../../texts/actions.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

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
  const counts = useMemo(
    () => (data && !data.isCut ? countSchedules(data.schedules) : { ...overdue !== undefined && { overdue } }), [data, overdue]
  )
  const actions = useAllowed()
  const [deleting, setDeleting] = useState<Schedule | null>(null)
  const enabling = useEnabling()
  const [switching, setSwitching] = useState<Switching | null>(null)
  const ask = useCallback((schedule: Schedule, isEnabled: boolean) => setSwitching({ schedule, isEnabled }), [])
  /** null: not allowed. */
  const switchOf = (action: string) =>
    (!actions.may(action) ? null : actions.needsReason(action) ? ask : enabling.change)
  const scheduleHref = useCallback((id: string) => href({ schedule: id }), [href])
  const close = useCallback(() => address.go({ schedule: null, edit: null }), [address])

  return (
    <>
      <div className="page-header">
        <h1>{scheduleTexts.title}</h1>
        {data && shown && <span className="muted">{countWords(show !== null && isKnown, shown.length, total, data.schedules.length)}</span>}
        <Stale failure={failure} updatedAt={updatedAt} />
        {actions.note && <span className="read-only-note">{actions.note}</span>}
        <ScheduleTools
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
            busyIds={enabling.busyIds} sorting={isKnown ? sorting : null} sortHref={next => href({ sort: sortingText(next) })}
            onEnable={switchOf('schedules:enable')}
            onDisable={switchOf('schedules:disable')}
            onDelete={actions.may('schedules:delete') ? setDeleting : null}
          />
        : failure
          ? <Failed what={scheduleTexts.title} failure={failure} onRetry={retry} />
          : !isTooLong && <SkeletonRows count={8} label={isWhole ? scheduleTexts.lookingThroughAll : scheduleTexts.loading} />}
      {data?.isCut && !isWhole && <SkeletonRows count={2} label={scheduleTexts.loadingMore} />}
      {openId && <SchedulePanel key={openId} scheduleId={openId} onClose={close} onDelete={setDeleting} />}
      {switching &&
        <SwitchQuestion {...switching} onClose={() => setSwitching(null)} onConfirm={reason => {
          setSwitching(null)
          enabling.change(switching.schedule, switching.isEnabled, reason)
        }} />}
      {deleting && <Deletion schedule={deleting} onClose={() => setDeleting(null)} onDeleted={() => {
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

interface Switching {
  readonly schedule: Schedule
  readonly isEnabled: boolean
}

interface SwitchQuestionProps extends Switching {
  readonly onClose: () => void
  readonly onConfirm: (reason: string | undefined) => void
}

/** Only where a reason is needed: without it, the switch asks nothing. */
function SwitchQuestion({ schedule, isEnabled, onClose, onConfirm }: SwitchQuestionProps) {
  const { field, isReady, reason } = useReason(isEnabled ? 'schedules:enable' : 'schedules:disable')
  return <ReasonDialog
    question={isEnabled ? actionTexts.enableQuestion : actionTexts.disableQuestion} name={scheduleTitle(schedule)} field={field}
    isReady={isReady} confirmLabel={isEnabled ? actionTexts.enableIt : actionTexts.disableIt} onClose={onClose}
    onConfirm={() => onConfirm(reason)}
  />
}

function Deletion({ schedule, onClose, onDeleted }: { schedule: Schedule; onClose: () => void; onDeleted: () => void }) {
  const { field, isReady, reason } = useReason('schedules:delete')
  const { mutate, isPending, error } = useMutation({
    ...deleteSchedule,
    onSuccess: (...outcome) => {
      deleteSchedule.onSuccess?.(...outcome)
      notify('good', scheduleTexts.isDeleted(scheduleTitle(schedule)))
      onClose()
      onDeleted()
    }
  })
  return (
    <DeleteScheduleDialog
      schedule={schedule} reason={field} isReady={isReady} isBusy={isPending}
      refusal={error?.message ?? null} isInDoubt={isUnconfirmed(error)}
      onDelete={() => mutate({ scheduleId: schedule.schedule_id, reason })} onClose={onClose}
    />
  )
}
