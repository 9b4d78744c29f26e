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
import { viewCommands, type ViewCommand } from '../../format/places/view-commands.ts'
import { isMeant } from '../../format/places/typed-name.ts'
import { mayOpen, ROUTES } from '../../format/places/routes.ts'
import { STATUSES } from '../../format/executions/status.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { isInUtc } from '../../format/time/time.ts'
import { useKeptPlaces, type KeptPlaces } from '../../hooks/use-kept-places.ts'
import { useLanguage, type LanguageChoice } from '../../hooks/use-language.ts'
import { writePreference } from '../../hooks/use-preference.ts'
import { useSettled, type Failure } from '../../hooks/use-settled.ts'
import { useSlowly } from '../../hooks/use-slowly.ts'
import { frameTexts } from '../../texts/frame.ts'
import { searchTexts } from '../../texts/search.ts'

/** For tasks and for schedules, each. */
const MAX_SHOWN = 25
const SEARCH_DELAY_MS = 200
const MAX_GROUPS_SHOWN = 8
const EXECUTION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The id of a run that a schedule planned. Ids that differ only in case belong to different schedules. */
const PLANNED_ID = /^repeat:.+:\d{13}$/

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const actions = useQuery(sessionQuery).data?.actions
  const registered = useSettled(useQuery(tasksQuery))
  const tasks = registered.data
  // There may be thousands of schedules, so the server searches them.
  const sought = useSlowly(text.trim(), SEARCH_DELAY_MS)
  const query = useQuery({ ...schedulesQuery({ enabledOnly: false, search: sought }), enabled: sought !== '' })
  const found = useSettled(query)
  const schedules = sought === '' || query.isPlaceholderData ? undefined : found.data

  const groups = useQuery({ ...failureGroupsQuery, staleTime: 10_000 }).data?.items
  const kept = useKeptPlaces()
  const language = useLanguage()
  const { destinations, isCut } = useMemo(() => {
    const { kinds, statusExecutions } = searchTexts
    const wanted = text.trim().toLowerCase()
    const places: Destination[] = [
      ...(wanted === '' ? kept.recent.map(place => ({ kind: kinds.recent, ...place })) : []),
      ...kept.views.map(place => ({ kind: kinds.view, ...place })),
      ...ROUTES.map(route => ({ kind: kinds.page, name: route.title, href: route.path })),
      ...STATUSES.map(status => ({ kind: kinds.filter, name: statusExecutions[status], href: `/executions?status=${status}` })),
      ...(tasks ?? []).map(task => ({ kind: kinds.task, name: task.name, href: `/tasks${withParameters('', { name: task.name })}` }))
    ].filter(({ name, href }) => isMeant(name, wanted) && mayOpen(href, actions))
    const planned = (schedules?.schedules ?? []).map(schedule => ({
      kind: kinds.schedule, name: scheduleTitle(schedule), href: `/schedules${withParameters('', { schedule: schedule.schedule_id })}`
    }))
    const broken = (wanted === '' ? [] : groups ?? [])
      .filter(group => isMeant(`${group.type} ${group.message}`, wanted)).slice(0, MAX_GROUPS_SHOWN)
      .map(group => ({ kind: kinds.group, name: `${group.type}: ${group.message}`.slice(0, 120), href: addressOf(group) }))
    const typed = text.trim()
    const id = EXECUTION_ID.test(wanted) ? wanted : PLANNED_ID.test(typed) ? typed : null
    const executions = id === null || !mayOpen('/executions', actions)
      ? []
      : [{ kind: kinds.execution, name: typed, href: `/executions${withParameters('', { execution: id })}` }]
    return {
      destinations: [...places.slice(0, MAX_SHOWN), ...planned.slice(0, MAX_SHOWN), ...broken,
        ...executions, ...toActions(text.trim(), kept, language)],
      isCut: places.length > MAX_SHOWN || planned.length > MAX_SHOWN
    }
  }, [text, tasks, schedules, actions, groups, kept, language.language])

  const isSearching = text.trim() !== '' && (text.trim() !== sought || schedules === undefined)
  const missing = [
    tasks === undefined ? toMissing('tasks', registered.failure) : null,
    isSearching ? toMissing('schedules', found.failure) : null
  ].filter(each => each !== null).join(' ') || null
  const go = ({ name, href, act }: Destination): void => {
    onClose()
    if (act) return act()
    kept.remember({ name, href })
    navigate(href)
  }
  return <Palette destinations={destinations} isCut={isCut} missing={missing} onSearch={setText} onClose={onClose} onGo={go} />
}

/** Why some are not found, as a sentence; null if the reader may not see them. */
function toMissing(what: 'tasks' | 'schedules', failure: Failure | null): string | null {
  if (failure === null) return what === 'tasks' ? searchTexts.searchingTasks : searchTexts.searchingSchedules
  return failure.status === 403 ? null : searchTexts.notSearched(searchTexts[what], failure.message.replace(/\.?$/, '.'))
}

/** Commands available here, other than navigation. */
function toActions(text: string, kept: KeptPlaces, { name: tongue, next }: LanguageChoice): Destination[] {
  const words = searchTexts
  const kind = words.kinds.action
  const typed = text.toLowerCase()
  return [
    ...viewCommands(text, kept, words).map(command => ({ kind, href: `#${command.does}`, ...toViewAction(command, kept) })),
    ...(words.inUtc.toLowerCase().includes(typed)
      ? [{ kind, name: isInUtc() ? words.inOwnZone : words.inUtc, href: '#zone', act: toggleZone }]
      : []),
    ...(frameTexts.language(tongue).toLowerCase().includes(typed)
      ? [{ kind, name: frameTexts.language(tongue), href: '#language', act: next }]
      : [])
  ]
}

function toViewAction(command: ViewCommand, kept: KeptPlaces): Pick<Destination, 'name' | 'act'> {
  const { name } = command
  switch (command.does) {
    case 'save': return { name: searchTexts.savePage(name), act: () => kept.save(name) }
    case 'rename': return { name: searchTexts.renameView(name, command.to), act: () => kept.rename(name, command.to) }
    case 'forget': return { name: searchTexts.forgetView(name), act: () => kept.forget(name) }
  }
}

function toggleZone(): void {
  writePreference('zone', isInUtc() ? 'local' : 'utc')
}
