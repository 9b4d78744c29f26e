/**
 * The path and query below a mount, starting with a slash, or null if the address is not below it. `/tasksX` is not below `/tasks`, nor is
 * any other spelling of the mount. A host's guard compares the address as sent, so `/%74asks` and `//tasks` must not reach what the guard
 * does not check. Non-ASCII characters are percent-encoded, as sent.
 */
export function pathBelow(url: string, prefix: string): string | null {
  if (prefix === '') return url
  const mount = url.startsWith(prefix) ? prefix : encodeURI(prefix)
  if (!url.startsWith(mount)) return null
  const below = url.slice(mount.length)
  if (below.startsWith('/')) return below
  return below === '' || below.startsWith('?') || below.startsWith('#') ? `/${below}` : null
}

/** Adds a leading slash and removes trailing ones; empty for the root. */
export function normalizePrefix(prefix: string | undefined): string {
  const path = (prefix ?? '').replace(/(?<!\/)\/+$/, '')
  return path === '' || path.startsWith('/') ? path : `/${path}`
}

/** The first segments of a path, as many as a route's pattern has before its wildcard: `/a/:b/*` and `/a/x/api/stats` give `/a/x`. */
export function matchedPrefix(path: string, pattern: string): string {
  const head = pattern.includes('*') ? pattern.split('*', 1)[0]!.replace(/\/$/, '') : pattern
  const given = path.split('/')
  return normalizePrefix(head.split('/').map((segment, index) => segment.includes(':') ? given[index] ?? '' : segment).join('/'))
}
