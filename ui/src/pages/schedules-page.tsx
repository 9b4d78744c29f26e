import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../schemas/index.ts'
import { isUnconfirmed } from '../api/intentions.ts'
import { deleteSchedule, enableSchedule, schedulesQuery } from '../api/schedules.ts'
import { statsQuery } from '../api/stats.ts'
import { DeleteScheduleDialog } from '../components/delete-schedule-dialog.tsx'
import { Icon } from '../components/icon.tsx'
import { SearchField } from '../components/search-field.tsx'
import { ScheduleTable } from '../components/schedule-table.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { plural } from '../format/number.ts'
import { scheduleTitle } from '../format/status.ts'
import { useAddress } from '../hooks/use-address.ts'
import { notify } from '../hooks/use-notices.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled } from '../hooks/use-settled.ts'
import { NewScheduleDialog } from './new-schedule-dialog.tsx'
import { SchedulePanel } from './schedule-panel.tsx'
import { useAllowed } from './use-allowed.ts'

const POLLED_EVERY_MS = 4_000

export function SchedulesPage() {
  const address = useAddress()
  const enabledOnly = address.get('enabled') === 'only'
  const search = address.get('search') ?? ''
  const openId = address.get('schedule')
  const { data, failure, updatedAt, retry, total, onEnd } = useListing(enabledOnly, search)
  const actions = useAllowed()
  const [deleting, setDeleting] = useState<Schedule | null>(null)
  const enabling = useEnabling()
  const close = useCallback(() => address.go({ schedule: null, edit: null }), [address])

  return (
    <>
      <div className="page-header">
        <h1>Schedules</h1>
        {data &&
          <span className="muted">
            {total === null ? `more than ${plural(data.schedules.length, 'schedule')}` : plural(total, 'schedule')}
          </span>}
        <Stale failure={failure} updatedAt={updatedAt} />
        {actions.note && <span className="read-only-note">{actions.note}</span>}
        <div className="page-tools">
          <SearchField label="Search schedules" value={search} onChange={text => address.go({ search: text }, { replace: true })} />
          <Link href="/schedules/agenda" className="button">Agenda</Link>
          <button
            type="button" className="button toggle" aria-pressed={enabledOnly}
            onClick={() => address.go({ enabled: enabledOnly ? null : 'only' })}
          >
            Enabled only
          </button>
          {actions.may('schedules:create') &&
            <Link href={address.href({ new: '1' })} className="button button-primary"><Icon name="plus" />New schedule</Link>}
        </div>
      </div>
      {data
        ? data.schedules.length === 0
          ? <NoSchedules isFiltered={enabledOnly || search !== ''} mayCreate={actions.may('schedules:create')} href={address.href} />
          : <ScheduleTable
            schedules={data.schedules} total={total} onEnd={onEnd} openId={openId} href={id => address.href({ schedule: id })}
            busyIds={enabling.busyIds}
            onEnable={actions.may('schedules:enable') ? enabling.change : null}
            onDisable={actions.may('schedules:disable') ? enabling.change : null}
            onDelete={actions.may('schedules:delete') ? setDeleting : null}
          />
        : failure ? <Failed what="Schedules" failure={failure} onRetry={retry} /> : <SkeletonRows count={8} label="Loading schedules" />}
      {data?.isCut && <SkeletonRows count={2} label="Loading more schedules" />}
      {openId && <SchedulePanel key={openId} scheduleId={openId} allowed={actions} onClose={close} onDelete={setDeleting} />}
      {deleting && <Deletion schedule={deleting} onClose={() => setDeleting(null)} onDeleted={() => {
        if (openId === deleting.schedule_id)
          close()
      }} />}
      {address.get('new') && <NewScheduleDialog onClose={() => address.go({ new: null })} />}
    </>
  )
}

/** As much of the list as was scrolled through, and how many there are in all: null when that is not known. */
function useListing(enabledOnly: boolean, search: string) {
  const filter = `${enabledOnly} ${search}`
  const [scrolled, setScrolled] = useState({ filter, pages: 1 })
  const pages = scrolled.filter === filter ? scrolled.pages : 1
  const query = useQuery({ ...schedulesQuery({ enabledOnly, search }, pages), ...usePolling(POLLED_EVERY_MS * pages) })
  const settled = useSettled(query)
  const isCut = settled.data?.isCut ?? false
  const counts = useQuery({ ...statsQuery, enabled: isCut && search === '' }).data?.schedules
  const total = isCut ? search === '' && counts ? counts[enabledOnly ? 'enabled' : 'total'] : null : settled.data?.schedules.length ?? null
  const mayGoOn = isCut && !query.isPlaceholderData
  const onEnd = useCallback(() => { if (mayGoOn) setScrolled({ filter, pages: pages + 1 }) }, [filter, pages, mayGoOn])
  return { ...settled, total, onEnd }
}

function useEnabling() {
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())
  const { mutateAsync } = useMutation(enableSchedule)
  const change = (schedule: Schedule, enabled: boolean): void => {
    setBusyIds(ids => new Set(ids).add(schedule.schedule_id))
    mutateAsync({ scheduleId: schedule.schedule_id, enabled })
      .then(() => notify('good', `${scheduleTitle(schedule)} is ${enabled ? 'enabled' : 'disabled'}.`))
      .catch((error: Error) => notify('bad', isUnconfirmed(error)
        ? `Not confirmed whether ${scheduleTitle(schedule)} is ${enabled ? 'enabled' : 'disabled'}: ` +
          `${error.message.replace(/\.?$/, '.')} The list shows it as soon as the server reports it. To be sure, use the switch again.`
        : `${scheduleTitle(schedule)} is still ${enabled ? 'disabled' : 'enabled'}: ${error.message}`))
      .finally(() => setBusyIds(ids => new Set([...ids].filter(id => id !== schedule.schedule_id))))
  }
  return { busyIds, change }
}

function Deletion({ schedule, onClose, onDeleted }: { schedule: Schedule; onClose: () => void; onDeleted: () => void }) {
  const { mutate, isPending, error } = useMutation({
    ...deleteSchedule,
    onSuccess: (...outcome) => {
      deleteSchedule.onSuccess?.(...outcome)
      notify('good', `${scheduleTitle(schedule)} is deleted.`)
      onClose()
      onDeleted()
    }
  })
  return (
    <DeleteScheduleDialog
      schedule={schedule} isBusy={isPending} refusal={error?.message ?? null} isInDoubt={isUnconfirmed(error)}
      onDelete={() => mutate(schedule.schedule_id)} onClose={onClose}
    />
  )
}

function NoSchedules(
  { isFiltered, mayCreate, href }: { isFiltered: boolean; mayCreate: boolean; href: ReturnType<typeof useAddress>['href'] }
) {
  if (isFiltered)
    return <Empty title="No schedule matches"><p><Link href={href({ search: null, enabled: null })}>Show all schedules</Link></p></Empty>
  return <Empty title="There is no schedule yet">
    <p>Schedules are created in code or through the API. {mayCreate && <Link href={href({ new: '1' })}>Compose the call</Link>}</p>
  </Empty>
}
