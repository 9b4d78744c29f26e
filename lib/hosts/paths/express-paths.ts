/** The parts of an Express 4 or 5 application that we use. */
export interface ExpressApp {
  readonly mountpath?: unknown
  readonly parent?: ExpressApp
  /** Express 4. */
  readonly _router?: Router
  /** Express 5; a getter that throws in Express 4. */
  readonly router?: Router
}

interface Router {
  readonly stack?: readonly Layer[]
  /** Since `router` 2.3, which is in Express 5.3. In Express 5 a layer keeps its path nowhere else. */
  listRoutes?(): ReadonlyArray<{ readonly path: unknown; readonly router?: unknown }>
}

interface Layer { readonly handle: unknown; readonly regexp?: RegExp }

/** How Express 4 ends the pattern of a path. */
const END_OF_PATH = '\\/?(?=\\/|$)'
/** Maximum nesting of routers. */
const MAX_DEPTH = 20

/**
 * The paths at which something is mounted in an application's routers, as regular expression sources that match the path exactly as
 * written. Empty if it is in none of them, or Express does not report it.
 */
export function mountsIn(app: ExpressApp, mounted: unknown): string[] {
  return mountsBelow(app._router ?? app.router, mounted, 0)
}

function mountsBelow(router: unknown, mounted: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH || !isRouter(router)) return []
  return entriesOf(router).flatMap(([source, handle]) => {
    if (source === null) return []
    return handle === mounted ? [source] : mountsBelow(handle, mounted, depth + 1).map(below => source + below)
  })
}

function isRouter(value: unknown): value is Router {
  return typeof value === 'function' && Array.isArray((value as Router).stack)
}

function entriesOf(router: Router): Array<[source: string | null, handle: unknown]> {
  if (router.listRoutes)
    return router.listRoutes().map(({ path, router: handle }) => [typeof path === 'string' ? sourceOf(path) : null, handle])
  return router.stack!.map(({ handle, regexp }) => [regexp ? sourceFrom(regexp) : null, handle])
}

/** The source of a regular expression that Express 4 made from one or more paths; null if it was made from something else. */
function sourceFrom({ source }: RegExp): string | null {
  const paths = source.split('|^')
  if (!source.startsWith('^') || !paths.every(path => path.endsWith(END_OF_PATH))) return null
  return `(?:${paths.map(path => path.replace(/^\^/, '').slice(0, -END_OF_PATH.length)).join('|')})`
}

/** The source for an application's mount path, including those of the applications around it; null if it is in none. */
export function mountsOf({ mountpath, parent }: ExpressApp): string | null {
  if (!parent) return null
  const paths = [mountpath].flat().filter(path => typeof path === 'string')
  return paths.length === 0 ? null : `${mountsOf(parent) ?? ''}(?:${paths.map(sourceOf).join('|')})`
}

/** The source for a path. A parameter matches any characters; non-ASCII characters are sent percent-encoded. */
export function sourceOf(path: string): string {
  return path.split('/').filter(segment => segment !== '').map(segment => {
    if (/[*{}()?+[\]]/.test(segment)) return '/.*'
    return segment.includes(':') ? '/[^/]+' : `/(?:${escaped(segment)}|${escaped(encodeURI(segment))})`
  }).join('')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
