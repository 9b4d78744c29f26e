import { pathOf } from '../dashboard/address.ts'

/**
 * The path and query below a mount, beginning with a slash, or null when the address is not below it: `/tasksX` is not below
 * `/tasks`. Segments are compared decoded, as routers do.
 */
export function pathBelow(url: string, prefix: string): string | null {
  if (prefix === '') return url
  // Hardly an address is written otherwise.
  if (url.startsWith(`${prefix}/`)) return url.slice(prefix.length)
  const path = pathOf(url)
  const wanted = prefix.split('/')
  const given = path.split('/')
  if (given.length < wanted.length || wanted.some((segment, index) => !isSameSegment(given[index]!, segment))) return null
  return `/${given.slice(wanted.length).join('/')}${url.slice(path.length)}`
}

/** Without a slash at the end, with one at the beginning; empty for the root. */
export function normalizePrefix(prefix: string | undefined): string {
  const path = (prefix ?? '').replace(/(?<!\/)\/+$/, '')
  return path === '' || path.startsWith('/') ? path : `/${path}`
}

/** The first segments of a path, as many as a route's pattern has before its wildcard: `/a/:b/*` and `/a/x/api/stats` give `/a/x`. */
export function matchedPrefix(path: string, pattern: string): string {
  const head = pattern.includes('*') ? pattern.split('*', 1)[0]!.replace(/\/$/, '') : pattern
  if (path.startsWith(`${head}/`)) return head
  const segments = head.split('/').length
  return normalizePrefix(path.split('/').slice(0, segments).join('/'))
}

function isSameSegment(given: string, wanted: string): boolean {
  return given === wanted || decoded(given) === decoded(wanted)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
