/** What is used of an application of Express 4 and 5. */
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
  /** Since `router` 2.3, which is in Express 5.3: a layer of Express 5 keeps its path nowhere else. */
  listRoutes?(): ReadonlyArray<{ readonly path: unknown; readonly router?: unknown }>
}

interface Layer { readonly handle: unknown; readonly regexp?: RegExp }

/** What Express 4 makes of the end of a path. */
const END_OF_PATH = '\\/?(?=\\/|$)'
/** Routers may be mounted in each other. */
const MAX_DEPTH = 20

/**
 * Where something is mounted in the Routers of an application, as sources of regular expressions that match its path in the very characters
 * in which it was written. Empty when it is in none of them, or Express does not tell.
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

/** Of the regular expression that Express 4 made of a path, or of several; null when it was made of something else. */
function sourceFrom({ source }: RegExp): string | null {
  const paths = source.split('|^')
  if (!source.startsWith('^') || !paths.every(path => path.endsWith(END_OF_PATH))) return null
  return `(?:${paths.map(path => path.replace(/^\^/, '').slice(0, -END_OF_PATH.length)).join('|')})`
}

/** Of what an application is mounted at, in the one around it and so on; null when it is in none. */
export function mountsOf({ mountpath, parent }: ExpressApp): string | null {
  if (!parent) return null
  const paths = [mountpath].flat().filter(path => typeof path === 'string')
  return paths.length === 0 ? null : `${mountsOf(parent) ?? ''}(?:${paths.map(sourceOf).join('|')})`
}

/** Of a path. A parameter has no characters of its own to compare; others than those of ASCII are sent percent-encoded. */
export function sourceOf(path: string): string {
  return path.split('/').filter(segment => segment !== '').map(segment => {
    if (/[*{}()?+[\]]/.test(segment)) return '/.*'
    return segment.includes(':') ? '/[^/]+' : `/(?:${escaped(segment)}|${escaped(encodeURI(segment))})`
  }).join('')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
