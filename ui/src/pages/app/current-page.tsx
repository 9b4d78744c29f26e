import { useEffect } from 'react'
import { Redirect, useSearch } from 'wouter'
import { queryClient } from '../../api/query-client.ts'
import { ErrorBoundary } from '../../components/frame/error-boundary.tsx'
import { Later } from '../../components/elements/later.tsx'
import { Empty, SkeletonRows } from '../../components/frame/states.tsx'
import { isOpenTo, movedTo, routeOf } from '../../format/places/routes.ts'
import { useSlowly } from '../../hooks/use-slowly.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { loadAllAhead, PAGE_PARTS } from './page-parts.ts'
import { frameTexts } from '../../texts/frame.ts'

/** How often to check whether the first page has received everything. */
const LOOKED_EVERY_MS = 500
/** The first check may come before the page itself has sent a request. */
const QUIET_LOOKS = 2
const MAX_WAIT_MS = 10_000
const SHOWN_AS_LOADING_AFTER_MS = 200

interface Props {
  readonly path: string
  /** What the reader may do; undefined before that is known. */
  readonly actions: readonly string[] | undefined
}

/** The page at the address, in its own error boundary. */
export function CurrentPage({ path, actions }: Props) {
  useEffect(() => {
    // What the reader waits for comes first.
    const end = performance.now() + MAX_WAIT_MS
    let quietLooks = 0
    const timer = setInterval(() => {
      quietLooks = queryClient.isFetching() > 0 ? 0 : quietLooks + 1
      if (quietLooks < QUIET_LOOKS && performance.now() < end) return
      clearInterval(timer)
      loadAllAhead()
    }, LOOKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const moved = movedTo(path, useSearch())
  if (moved !== null) return <Redirect to={moved} replace />
  const route = routeOf(path)
  if (route === null) return <NotFoundPage />
  if (!isOpenTo(route, actions))
    return <Empty title={frameTexts.mayNotOpen(route.title)}>
      <p>{frameTexts.whoGivesAccess} <code>{route.action}</code>.</p>
    </Empty>
  return (
    <ErrorBoundary key={route.path} what={frameTexts.thisPage}>
      <Later load={PAGE_PARTS[route.path]} given={{}} waiting={<Waiting title={route.title} />} failed={<Unloadable />} />
    </ErrorBoundary>
  )
}

/** Shown only after a moment, because most pages load before anybody could read it. */
function Waiting({ title }: { title: string }) {
  const isSlow = useSlowly(true, SHOWN_AS_LOADING_AFTER_MS, false)
  return isSlow ? <SkeletonRows count={12} label={frameTexts.loadingPage(title)} /> : null
}

/** Either the server does not respond, or a newer version was deployed without the files of this one. */
function Unloadable() {
  return (
    <Empty title={frameTexts.pageNotLoaded}>
      <p>{frameTexts.pageRetried}</p>
      <button type="button" className="button" onClick={() => location.reload()}>{frameTexts.reload}</button>
    </Empty>
  )
}
