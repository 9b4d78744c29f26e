import type { ServerResponse } from 'node:http'
import { pathOf } from '../../dashboard/http/routes/address.ts'
import { mountsIn, mountsOf, sourceOf, type ExpressApp } from './express-paths.ts'
import type { NodeHandler, NodeRequest } from '../bridges/node-types.ts'

type Next = (error?: unknown) => void

/** The members by which Express and Connect recognise a mounted application and tell it its path. */
interface Mountable {
  set(): void
  emit(): boolean
  handle(request: NodeRequest, response: ServerResponse, next: Next): void
  /** Express 5 routers list handlers that have this, with their path. */
  readonly stack: readonly never[]
}

/** A path, and the Express application that set it. */
interface ReportedPath { readonly path: unknown; parent?: ExpressApp }

interface Mounts { readonly own: readonly string[]; readonly outer: string | null }

/**
 * Finds the path at which a handler is mounted. `app.use('/tasks', …)` of Express and Connect sets it, and Express routers are searched.
 * All of these compare paths case-insensitively, and Connect also accepts `/tasks.x`, while a host's guard may compare the address as sent.
 * So a request with another spelling goes to the next handler. If no path is known, the option `prefix` applies.
 */
export function asMountable(handler: NodeHandler): NodeHandler {
  const reported: ReportedPath[] = []
  const reportedBy = (app: ExpressApp | undefined): string[] => reported.filter(({ parent }) => parent === app).flatMap(({ path }) => path)
    .filter(path => typeof path === 'string').map(sourceOf)
  const known = new WeakMap<ExpressApp, Mounts>()

  const mounted = async (request: NodeRequest, response: ServerResponse, next?: Next): Promise<void> => {
    if (next && !isMountSpelt(request)) return next()
    return handler(request, response, next)
  }

  function isMountSpelt(request: NodeRequest): boolean {
    const { app } = request as { app?: ExpressApp }
    const base = baseOf(request)
    if (!app) return isSpelt(base, { own: reportedBy(app), outer: null })
    const before = known.get(app)
    if (before && isSpelt(base, before)) return true
    // It may have been mounted in another place in the meantime.
    const mounts = { own: [...reportedBy(app), ...mountsIn(app, mounted)], outer: mountsOf(app) }
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
  // Express sets its path and then itself, Connect only its path. A handler may be mounted in several places.
  const pathProperty = { configurable: true, get: () => reported.at(-1)?.path ?? '/', set: (path: unknown) => { reported.push({ path }) } }
  const parentProperty = {
    configurable: true,
    get: () => reported.at(-1)?.parent,
    set: (parent: ExpressApp) => { Object.assign(reported.at(-1) ?? {}, { parent }) }
  }
  Object.defineProperties(mounted, { mountpath: pathProperty, route: pathProperty, parent: parentProperty })
  return mounted as NodeHandler
}

/** Whether the path that the host removed is exactly one of the mounts; true if no mount is known. */
function isSpelt(base: string, { own, outer }: Mounts): boolean {
  if (own.length === 0) return true
  return own.some(source => {
    const end = new RegExp(`${source}$`).exec(base)
    if (!end) return false
    const around = base.slice(0, end.index)
    // An application reports only the last place it was mounted in. A different place is not a misspelling of it.
    return outer === null || new RegExp(`${outer}$`).test(around) || !new RegExp(`${outer}$`, 'i').test(around)
  })
}

/** The path that the host removed. */
function baseOf({ url = '/', originalUrl = url }: NodeRequest): string {
  const [whole, below] = [pathOf(originalUrl), pathOf(url)]
  if (whole.endsWith(below) && below !== '/') return whole.slice(0, -below.length)
  return whole.replace(/\/$/, '')
}
