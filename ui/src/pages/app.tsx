import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { healthQuery } from '../api/health.ts'
import { queryClient, recovering } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'
import { Header, PAGES } from '../components/header.tsx'
import { HelpDialog } from '../components/help-dialog.tsx'
import { Notices } from '../components/notices.tsx'
import { useAddress } from '../hooks/use-address.ts'
import { usePageStart } from '../hooks/use-page-start.ts'
import { togglePause, usePausedSince, usePolling } from '../hooks/use-pause.ts'
import { useSettled } from '../hooks/use-settled.ts'
import { useShortcuts } from '../hooks/use-shortcuts.ts'
import { AgendaPage } from './agenda-page.tsx'
import { CommandPalette } from './command-palette.tsx'
import { DashboardPage } from './dashboard-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { SchedulesPage } from './schedules-page.tsx'
import { TasksPage } from './tasks-page.tsx'

export function App() {
  const [location] = useLocation()
  const path = location.replace(/(?<!\/)\/+$/, '') || '/'
  const address = useAddress()
  usePageStart(path)
  const session = useQuery({ ...sessionQuery, refetchInterval: (query) => recovering(query) || 60_000 }).data
  const health = useSettled(useQuery({ ...healthQuery, ...usePolling(4_000) }))
  const pausedSince = usePausedSince()
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)

  const pause = (): void => {
    togglePause()
    if (pausedSince !== null) queryClient.invalidateQueries().catch(() => {})
  }
  useShortcuts(useMemo(() => ({
    palette: () => setOpen((current) => (current === 'palette' ? null : 'palette')),
    help: () => setOpen('help'),
    pause,
    search: () => {
      const field = document.querySelector<HTMLElement>('[data-search]')
      if (field) field.focus()
      else setOpen('palette')
    },
    close: () => { if (address.get('execution') || address.get('schedule') && path === '/schedules') address.go({ execution: null, ...(path === '/schedules' ? { schedule: null, edit: null } : {}) }) }
  }), [address, pausedSince, path]))

  // Who signed in again, in another tab for example, may be somebody else.
  const isSignedOut = health.failure?.status === 401
  const wasSignedOut = useRef(false)
  useEffect(() => {
    if (wasSignedOut.current && !isSignedOut) queryClient.invalidateQueries().catch(() => {})
    wasSignedOut.current = isSignedOut
  }, [isSignedOut])

  const page = path === '/schedules/agenda' ? { title: 'Agenda' } : PAGES.find((candidate) => candidate.path === path)
  useEffect(() => {
    document.title = [page?.title ?? 'Not found', session?.title ?? 'Task dashboard'].join(' · ')
  }, [page, session?.title])

  return (
    <>
      <Header
        session={session} failure={health.failure} isBlind={health.data?.status === 'unhealthy'} pausedSince={pausedSince} path={path}
        onPause={pause} onPalette={() => setOpen('palette')} onHelp={() => setOpen('help')}
      />
      <main id="main" tabIndex={-1}>
        <Switch location={path}>
          <Route path="/"><DashboardPage /></Route>
          <Route path="/tasks"><TasksPage /></Route>
          <Route path="/schedules"><SchedulesPage /></Route>
          <Route path="/schedules/agenda"><AgendaPage /></Route>
          <Route><NotFoundPage /></Route>
        </Switch>
      </main>
      {open === 'palette' && <CommandPalette onClose={() => setOpen(null)} />}
      {open === 'help' && <HelpDialog onClose={() => setOpen(null)} />}
      <Notices />
    </>
  )
}
