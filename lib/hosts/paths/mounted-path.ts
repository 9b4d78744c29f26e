import type { ServerResponse } from 'node:http'
import { pathOf } from '../../dashboard/http/routes/address.ts'
import { mountsIn, mountsOf, sourceOf, type ExpressApp } from './express-paths.ts'
import type { NodeHandler, NodeRequest } from '../bridges/node-types.ts'

type Next = (error?: unknown) => void

/** What Express and Connect look for in an application that is mounted in another: they tell it the path. */
interface Mountable {
  set(): void
  emit(): boolean
  handle(request: NodeRequest, response: ServerResponse, next: Next): void
  /** The Routers of Express 5 list what has one, with its path. */
  readonly stack: readonly never[]
}

/** A path that was told, and the application of Express that told it. */
interface Told { readonly path: unknown; parent?: ExpressApp }

interface Mounts { readonly own: readonly string[]; readonly outer: string | null }

/**
 * Finds out at which path a handler is mounted: `app.use('/tasks', …)` of Express and Connect tells it, and the Routers of Express are
 * searched. All of them compare the path without regard to case, and Connect takes `/tasks.x` for it as well, while a guard of the host may
 * look at the address as it was sent. So what is spelt otherwise goes on to the next. Where nobody tells the path, the option `prefix`
 * does.
 */
export function asMountable(handler: NodeHandler): NodeHandler {
  const told: Told[] = []
  const toldBy = (app: ExpressApp | undefined): string[] => told.filter(({ parent }) => parent === app).flatMap(({ path }) => path)
    .filter(path => typeof path === 'string').map(sourceOf)
  const known = new WeakMap<ExpressApp, Mounts>()

  const mounted = async (request: NodeRequest, response: ServerResponse, next?: Next): Promise<void> => {
    if (next && !isMountSpelt(request)) return next()
    return handler(request, response, next)
  }

  function isMountSpelt(request: NodeRequest): boolean {
    const { app } = request as { app?: ExpressApp }
    const base = baseOf(request)
    if (!app) return isSpelt(base, { own: toldBy(app), outer: null })
    const before = known.get(app)
    if (before && isSpelt(base, before)) return true
    // It may have been mounted in one more place since.
    const mounts = { own: [...toldBy(app), ...mountsIn(app, mounted)], outer: mountsOf(app) }
    known.set(app, mounts)
    return isSpelt(base, mounts)
  }

  const mountable: Mountable = {
    set() {},
    emit: () => true,
    handle: (request, response, next) => { void mounted(request, response, next) },
    stack: []
  }
  Object.assign(mounted, mountable, { close: handler.close })
  // Express writes its path and then itself, Connect its path alone; a handler may be mounted in several places.
  const tell = { configurable: true, get: () => told.at(-1)?.path ?? '/', set: (path: unknown) => { told.push({ path }) } }
  const tellParent = {
    configurable: true, get: () => told.at(-1)?.parent, set: (parent: ExpressApp) => { Object.assign(told.at(-1) ?? {}, { parent }) }
  }
  Object.defineProperties(mounted, { mountpath: tell, route: tell, parent: tellParent })
  return mounted as NodeHandler
}

/** Whether what the host took off is one of the mounts, in its very characters; true when no mount is known. */
function isSpelt(base: string, { own, outer }: Mounts): boolean {
  if (own.length === 0) return true
  return own.some(source => {
    const end = new RegExp(`${source}$`).exec(base)
    if (!end) return false
    const around = base.slice(0, end.index)
    // An application tells the last place alone where it was mounted: another one is no misspelling of it.
    return outer === null || new RegExp(`${outer}$`).test(around) || !new RegExp(`${outer}$`, 'i').test(around)
  })
}

/** What the host took off. */
function baseOf({ url = '/', originalUrl = url }: NodeRequest): string {
  const [whole, below] = [pathOf(originalUrl), pathOf(url)]
  if (whole.endsWith(below) && below !== '/') return whole.slice(0, -below.length)
  return whole.replace(/\/$/, '')
}
