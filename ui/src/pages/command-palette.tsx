import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { schedulesQuery } from '../api/schedules.ts'
import { tasksQuery } from '../api/tasks.ts'
import { PAGES } from '../components/header.tsx'
import { Palette, type Destination } from '../components/palette.tsx'
import { withParameters } from '../format/address.ts'
import { STATUSES, scheduleTitle, statusWord } from '../format/status.ts'
import { useSlowly } from '../hooks/use-slowly.ts'

/** Of tasks and of schedules, each. */
const SHOWN_AT_MOST = 25
const SEARCH_DELAY_MS = 200
const EXECUTION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const tasks = useQuery(tasksQuery).data
  // There may be thousands: the server finds them.
  const sought = useSlowly(text.trim(), SEARCH_DELAY_MS)
  const found = useQuery({ ...schedulesQuery({ enabledOnly: false, search: sought }), enabled: sought !== '' })
  const schedules = sought === '' || found.isPlaceholderData ? undefined : found.data

  const { destinations, isCut } = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    const places: Destination[] = [
      ...PAGES.map((page) => ({ kind: 'Page', name: page.title, href: page.path })),
      ...STATUSES.map((status) => ({ kind: 'Filter', name: `${statusWord(status)} executions`, href: `/tasks?status=${status}` })),
      ...(tasks ?? []).map((task) => ({ kind: 'Task', name: task.name, href: `/tasks${withParameters('', { task: task.name })}` }))
    ].filter(({ name }) => name.toLowerCase().includes(wanted))
    const planned = (schedules?.schedules ?? []).map((schedule) => ({ kind: 'Schedule', name: scheduleTitle(schedule), href: `/schedules${withParameters('', { schedule: schedule.schedule_id })}` }))
    const executions = EXECUTION_ID.test(wanted) ? [{ kind: 'Open execution', name: text.trim(), href: `/tasks${withParameters('', { execution: wanted })}` }] : []
    return {
      destinations: [...places.slice(0, SHOWN_AT_MOST), ...planned.slice(0, SHOWN_AT_MOST), ...executions],
      isCut: places.length > SHOWN_AT_MOST || planned.length > SHOWN_AT_MOST
    }
  }, [text, tasks, schedules])

  return <Palette destinations={destinations} isCut={isCut} onSearch={setText} onClose={onClose} onGo={(href) => { onClose(); navigate(href) }} />
}
