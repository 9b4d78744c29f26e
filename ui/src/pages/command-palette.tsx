import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { schedulesQuery } from '../api/schedules.ts'
import { tasksQuery } from '../api/tasks.ts'
import { PAGES } from '../components/header.tsx'
import { Palette, type Destination } from '../components/palette.tsx'
import { withParameters } from '../format/address.ts'
import { STATUSES, scheduleTitle, statusWord } from '../format/status.ts'

const FOUND_AT_MOST = 40

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const tasks = useQuery(tasksQuery).data
  const schedules = useQuery(schedulesQuery({ enabledOnly: false, search: '' })).data?.schedules

  const destinations = useMemo((): Destination[] => {
    const wanted = text.trim().toLowerCase()
    const all: Destination[] = [
      ...PAGES.map((page) => ({ kind: 'Page', name: page.title, href: page.path })),
      ...STATUSES.map((status) => ({ kind: 'Filter', name: `${statusWord(status)} executions`, href: `/tasks?status=${status}` })),
      ...(tasks ?? []).map((task) => ({ kind: 'Task', name: task.name, href: `/tasks${withParameters('', { task: task.name })}` })),
      ...(schedules ?? []).map((schedule) => ({ kind: 'Schedule', name: scheduleTitle(schedule), href: `/schedules${withParameters('', { schedule: schedule.schedule_id })}` }))
    ]
    const found = all.filter(({ name, href }) => name.toLowerCase().includes(wanted) || (wanted !== '' && decodeURIComponent(href).toLowerCase().includes(wanted))).slice(0, FOUND_AT_MOST)
    // Ids have no spaces; whatever looks like one can be opened.
    if (/^\S{8,}$/.test(wanted)) found.push({ kind: 'Open execution', name: text.trim(), href: `/tasks${withParameters('', { execution: text.trim() })}` })
    return found
  }, [text, tasks, schedules])

  return <Palette destinations={destinations} onSearch={setText} onClose={onClose} onGo={(href) => { onClose(); navigate(href) }} />
}
