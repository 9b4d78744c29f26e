import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { healthQuery } from '../../api/health.ts'
import { queryClient, recovering } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { Dialog } from '../../components/elements/dialog.tsx'
import { IsObserving } from '../../components/executions/attempt.tsx'
import { ErrorBoundary } from '../../components/frame/error-boundary.tsx'
import { Header } from '../../components/frame/header.tsx'
import { Later } from '../../components/elements/later.tsx'
import { MayOpen } from '../../components/elements/page-link.tsx'
import { Notices } from '../../components/elements/notices.tsx'
import { mainRoutes, mayOpen, routeOf } from '../../format/places/routes.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useLanguage } from '../../hooks/use-language.ts'
import { onClockJump } from '../../hooks/use-now.ts'
import { usePageStart } from '../../hooks/use-page-start.ts'
import { togglePause, usePausedSince, usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useShortcuts } from '../../hooks/use-shortcuts.ts'
import { useZone } from '../../hooks/use-zone.ts'
import { CurrentPage } from './current-page.tsx'
import { DIALOG_PARTS } from './page-parts.ts'
import { frameTexts } from '../../texts/frame.ts'
import { MINUTE_MS } from '../../format/time/units.ts'

export function App() {
  const [location, navigate] = useLocation()
  const path = routeOf(location)?.path ?? location
  const address = useAddress()
  // One task or one group of failures is a page of its own.
  const one = path === '/tasks' ? address.get('name') : path === '/failures' ? address.get('group') : null
  usePageStart(`${path} ${one ?? ''}`)
  const session = useQuery({ ...sessionQuery, refetchInterval: query => recovering(query) || MINUTE_MS }).data
  const health = useSettled(useQuery({ ...healthQuery, ...usePolling(4_000) }))
  const pausedSince = usePausedSince()
  const zone = useZone()
  const { language } = useLanguage()
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)

  const pause = (): void => {
    togglePause()
    if (pausedSince !== null) queryClient.invalidateQueries().catch(() => {})
  }
  useShortcuts(useMemo(() => ({
    palette: () => setOpen(current => (current === 'palette' ? null : 'palette')),
    help: () => setOpen('help'),
    pause,
    search: () => {
      const field = document.querySelector<HTMLElement>('[data-search]')
      if (field) field.focus()
      else setOpen('palette')
    },
    go: key => {
      const wanted = mainRoutes(session?.actions).find(each => each.key === key)
      if (wanted) navigate(wanted.path)
    },
    close: () => {
      if (path === '/audit') {
        if (address.get('entry')) address.go({ entry: null })
      } else if (address.get('execution') || address.get('schedule') && path.startsWith('/schedules'))
        address.go({ execution: null, ...(path.startsWith('/schedules') ? { schedule: null, edit: null } : {}) })
    }
  }), [address, navigate, pausedSince, path, session?.actions]))

  // After the clock has jumped, only a new response tells the time.
  useEffect(() => onClockJump(() => { queryClient.invalidateQueries().catch(() => {}) }), [])

  // After a new sign-in, for example in another tab, the reader may be someone else.
  const isSignedOut = health.failure?.status === 401
  const wasSignedOut = useRef(false)
  const user = useRef(session?.user)
  useEffect(() => {
    const isOther = user.current !== undefined && user.current !== session?.user
    // The cached data of pages left behind may be more than the new reader may see.
    if (isOther) queryClient.removeQueries({ type: 'inactive' })
    if (isOther || wasSignedOut.current && !isSignedOut) queryClient.invalidateQueries().catch(() => {})
    wasSignedOut.current = isSignedOut
    user.current = session?.user
  }, [isSignedOut, session?.user])

  const route = routeOf(path)
  useEffect(() => {
    document.title = [route?.title ?? frameTexts.notFound, session?.title ?? frameTexts.documentTitle].join(' · ')
  }, [route, session?.title, language])

  const isOpenPage = useCallback((href: string) => mayOpen(href, session?.actions), [session?.actions])
  return (
    <>
      <Header
        session={session} answeredAt={health.updatedAt} isBlind={health.data?.status === 'unhealthy'}
        // A server that refuses to show its health has responded all the same.
        failure={health.failure?.status === 403 ? null : health.failure}
        pausedSince={pausedSince} path={path} onPause={pause} onPalette={() => setOpen('palette')} onHelp={() => setOpen('help')}
      />
      <main id="main" tabIndex={-1} key={`${zone.isUtc ? 'utc' : 'local'} ${language}`}>
        <MayOpen.Provider value={isOpenPage}>
          <IsObserving.Provider value={session?.supports.changes === false}>
            <CurrentPage path={path} actions={session?.actions} />
          </IsObserving.Provider>
        </MayOpen.Provider>
      </main>
      {open !== null && (
        <ErrorBoundary key={open} what={frameTexts.thisDialog}>
          <Later
            load={DIALOG_PARTS[open]} given={{ onClose: () => setOpen(null) }}
            failed={<Dialog title={frameTexts.notLoaded} className="dialog-narrow" onClose={() => setOpen(null)}>
              <p>{frameTexts.dialogNotLoaded}</p>
            </Dialog>}
          />
        </ErrorBoundary>
      )}
      <Notices />
    </>
  )
}
