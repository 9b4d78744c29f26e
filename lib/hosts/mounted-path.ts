import type { ServerResponse } from 'node:http'
import { pathOf } from '../dashboard/address.ts'
import { normalizePrefix } from './mount-path.ts'
import type { NodeHandler, NodeRequest } from './node-handler.ts'

type Next = (error?: unknown) => void

/** What Express and Connect look for in an application that is mounted in another: they tell it the path. */
interface Mountable {
  set(): void
  emit(): boolean
  handle(request: NodeRequest, response: ServerResponse, next: Next): void
}

/**
 * Lets `app.use('/tasks', …)` of Express and Connect tell the path of the mount. Both compare it without regard to case, and Connect takes
 * `/tasks.x` for it as well, while a guard of the host may look at the address as it was sent. What is spelt otherwise goes on to the next.
 * A Router of Express tells nothing: there the option `prefix` does.
 */
export function asMountable(handler: NodeHandler): NodeHandler {
  const paths = new Set<string>()
  const learn = (path: unknown): void => { for (const each of [path].flat()) if (typeof each === 'string') paths.add(normalizePrefix(each)) }
  const isMountSpelt = (request: NodeRequest): boolean => {
    const given = baseOf(request).split('/').slice(1)
    return [...paths].some((path) => {
      const wanted = path.split('/').slice(1)
      // A parameter has no characters of its own to compare.
      return wanted.every((segment, index) => /[:*{}()?+[\]]/.test(segment) || [segment, encodeURI(segment)].includes(given.at(index - wanted.length) ?? ''))
    })
  }
  const mountable: Mountable = {
    set() {},
    emit: () => true,
    handle(request, response, next) {
      if (paths.size > 0 && !isMountSpelt(request)) return next()
      void handler(request, response, next)
    }
  }
  Object.assign(handler, mountable)
  // Express writes the one, Connect the other; a handler may be mounted in several places.
  for (const name of ['mountpath', 'route']) Object.defineProperty(handler, name, { set: learn, get: () => [...paths].at(-1) ?? '/', configurable: true })
  return handler
}

/** What the host took off. */
function baseOf({ url = '/', originalUrl = url }: NodeRequest): string {
  const [whole, below] = [pathOf(originalUrl), pathOf(url)]
  if (whole.endsWith(below) && below !== '/') return whole.slice(0, -below.length)
  return whole.replace(/\/$/, '')
}
