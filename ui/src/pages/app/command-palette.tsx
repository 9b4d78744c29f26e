import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { failureGroupsQuery } from '../../api/failures.ts'
import { schedulesQuery } from '../../api/schedules.ts'
import { sessionQuery } from '../../api/session.ts'
import { tasksQuery } from '../../api/tasks.ts'
import { Palette, type Destination } from '../../components/search/palette.tsx'
import { withParameters } from '../../format/places/address.ts'
import { addressOf } from '../../format/failures/failure-groups.ts'
import { isOpenTo, ROUTES } from '../../format/places/routes.ts'
import { STATUSES, scheduleTitle, statusWord } from '../../format/executions/status.ts'
import { isInUtc } from '../../format/time/time.ts'
import { useKeptPlaces, type KeptPlaces } from '../../hooks/use-kept-places.ts'
import { writePreference } from '../../hooks/use-preference.ts'
import { useSettled, type Failure } from '../../hooks/use-settled.ts'
import { useSlowly } from '../../hooks/use-slowly.ts'

/** Of tasks and of schedules, each. */
const SHOWN_AT_MOST = 25
const SEARCH_DELAY_MS = 200
const MAX_GROUPS_SHOWN = 8
const EXECUTION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const actions = useQuery(sessionQuery).data?.actions
  const registered = useSettled(useQuery(tasksQuery))
  const tasks = registered.data
  // There may be thousands: the server finds them.
  const sought = useSlowly(text.trim(), SEARCH_DELAY_MS)
  const query = useQuery({ ...schedulesQuery({ enabledOnly: false, search: sought }), enabled: sought !== '' })
  const found = useSettled(query)
  const schedules = sought === '' || query.isPlaceholderData ? undefined : found.data

  const groups = useQuery({ ...failureGroupsQuery, staleTime: 10_000 }).data?.items
  const kept = useKeptPlaces()
  const { destinations, isCut } = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    const places: Destination[] = [
      ...(wanted === '' ? kept.recent.map(place => ({ kind: 'Recent', ...place })) : []),
      ...kept.views.map(place => ({ kind: 'Saved view', ...place })),
      ...ROUTES.filter(route => isOpenTo(route, actions)).map(route => ({ kind: 'Page', name: route.title, href: route.path })),
      ...STATUSES.map(status => ({ kind: 'Filter', name: `${statusWord(status)} executions`, href: `/executions?status=${status}` })),
      ...(tasks ?? []).map(task => ({ kind: 'Task', name: task.name, href: `/tasks${withParameters('', { name: task.name })}` }))
    ].filter(({ name }) => name.toLowerCase().includes(wanted))
    const planned = (schedules?.schedules ?? []).map(schedule => ({
      kind: 'Schedule', name: scheduleTitle(schedule), href: `/schedules${withParameters('', { schedule: schedule.schedule_id })}`
    }))
    const broken = (wanted === '' ? [] : groups ?? [])
      .filter(group => `${group.type} ${group.message}`.toLowerCase().includes(wanted)).slice(0, MAX_GROUPS_SHOWN)
      .map(group => ({ kind: 'Failure group', name: `${group.type}: ${group.message}`.slice(0, 120), href: addressOf(group) }))
    const executions = EXECUTION_ID.test(wanted)
      ? [{ kind: 'Open execution', name: text.trim(), href: `/executions${withParameters('', { execution: wanted })}` }]
      : []
    return {
      destinations: [...places.slice(0, SHOWN_AT_MOST), ...planned.slice(0, SHOWN_AT_MOST), ...broken,
        ...executions, ...toActions(text.trim(), kept)],
      isCut: places.length > SHOWN_AT_MOST || planned.length > SHOWN_AT_MOST
    }
  }, [text, tasks, schedules, actions, groups, kept])

  const isSearching = text.trim() !== '' && (text.trim() !== sought || schedules === undefined)
  const missing = [
    tasks === undefined ? toMissing('Tasks', registered.failure) : null,
    isSearching ? toMissing('Schedules', found.failure) : null
  ].filter(each => each !== null).join(' ') || null
  const go = ({ name, href, act }: Destination): void => {
    onClose()
    if (act) return act()
    kept.remember({ name, href })
    navigate(href)
  }
  return <Palette destinations={destinations} isCut={isCut} missing={missing} onSearch={setText} onClose={onClose} onGo={go} />
}

/** Why some are not found, in a sentence; null when they are no concern of the reader. */
function toMissing(what: string, failure: Failure | null): string | null {
  if (failure === null) return `Searching ${what.toLowerCase()}…`
  return failure.status === 403 ? null : `${what} could not be searched: ${failure.message.replace(/\.?$/, '.')}`
}

/** What can be done from here, beside going somewhere. */
function toActions(text: string, { here, views, save, forget }: KeptPlaces): Destination[] {
  const name = /^save\s+(\S.*)$/i.exec(text)?.[1] ?? ''
  const current = views.find(view => view.href === here)
  return [
    // Only when it is asked for: a name that is not found must not be saved by Enter.
    ...(name === '' ? [] : [{ kind: 'Action', name: `Save this page as “${name}”`, href: '#save', act: () => save(name) }]),
    ...(current && 'forget'.startsWith(text.toLowerCase())
      ? [{ kind: 'Action', name: `Forget the saved view “${current.name}”`, href: '#forget', act: () => forget(current.name) }]
      : []),
    ...('times in utc'.includes(text.toLowerCase())
      ? [{ kind: 'Action', name: isInUtc() ? 'Times in your own zone' : 'Times in UTC', href: '#zone', act: toggleZone }]
      : [])
  ]
}

function toggleZone(): void {
  writePreference('zone', isInUtc() ? 'local' : 'utc')
}
