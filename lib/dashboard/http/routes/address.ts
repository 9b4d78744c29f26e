/*
 * Names and ids in paths. Fastify rejects parameters longer than the host's `maxParamLength` (100 by default), which percent-encoded names
 * and ids exceed, and a plugin cannot change it. Wildcards have no limit. So `/api/tasks/:name/executions` is registered as `/api/tasks/*`
 * with a constraint on what follows the name, and the name is decoded here.
 */

/** Name of the routing constraint, shared by all dashboards of a server. */
export const FOLLOWED_BY = 'taskDashboardFollowedBy'

export interface Address {
  /** The URL to register with the router. */
  readonly url: string
  /** Name of the parameter; null if there is none. */
  readonly parameter: string | null
  /** The segment after the parameter; null if it is the last. */
  readonly followedBy: string | null
}

/** `/api/tasks/:name/executions` → `/api/tasks/*`, `name`, `executions`. */
export function addressFrom(path: string): Address {
  const match = /^(?<before>.*\/):(?<parameter>\w+)(?:\/(?<followedBy>\w+))?$/.exec(path)
  if (!match?.groups) return { url: path, parameter: null, followedBy: null }
  // Its route would never be found.
  if (match.groups['followedBy'] !== undefined && FOLLOWING_WORD.exec(path)?.[1] !== match.groups['followedBy'])
    throw new Error(`Add the noun of ${path} to NOUNS in address.ts`)
  return { url: `${match.groups['before']}*`, parameter: match.groups['parameter']!, followedBy: match.groups['followedBy'] ?? null }
}

/** The routing constraint: the word after a name or id. Routes without it are not affected. */
export const followedByStrategy = {
  name: FOLLOWED_BY,
  storage() {
    const handlers = new Map<unknown, unknown>()
    return {
      get: (word: unknown) => handlers.get(word) ?? null,
      set: (word: unknown, handler: unknown) => { handlers.set(word, handler) }
    }
  },
  deriveConstraint: (request: { url?: string | undefined }) => FOLLOWING_WORD.exec(pathOf(request.url ?? ''))?.[1],
  validate() {},
  mustMatchWhenDerived: false
}

/** Nouns with a route that has a word after the name or id. In any other address of the host the last word means nothing here. */
const NOUNS = ['tasks', 'schedules', 'executions', 'failures', 'queues', 'bulk']
const FOLLOWING_WORD = new RegExp(String.raw`/api/(?:${NOUNS.join('|')})/[^/]+/([a-z]+)/?$`)

export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** The segments of a path; a trailing slash adds none. */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  return segments
}

/**
 * Whether a path spells the route's own segments exactly. Routers decode before they compare, and hosts may ignore case or doubled slashes,
 * while a host's guard compares the address as sent. In the prefix every slash counts; below it, doubled slashes are up to the host.
 * @param url path and query of the request, as sent
 * @param routeUrl the matched route, with the prefix
 */
export function isSpeltAs(url: string, routeUrl: string, prefix: string): boolean {
  const given = pathOf(url).split('/')
  const mount = prefix.split('/')
  const below = given.slice(mount.length).filter(segment => segment !== '')
  const wanted = routeUrl.slice(prefix.length).split('/').filter(segment => segment !== '')
  return given.length >= mount.length && mount.every((segment, index) => isSegment(given[index]!, segment)) &&
    wanted.every((segment, index) => segment === '*' || (below[index] !== undefined && isSegment(below[index], segment)))
}

/** `:parameters` match any non-empty segment. Non-ASCII characters are sent percent-encoded. */
function isSegment(given: string, wanted: string): boolean {
  if (wanted.includes(':') || wanted.includes('*')) return given !== ''
  return given === wanted || given === encodeURI(wanted)
}

/**
 * The decoded name or id in the path of a request. Null if the path has a different number of segments than the route, or is not valid
 * percent-encoded UTF-8.
 * @param url path and query of the request, as sent
 * @param routeUrl the matched wildcard, with the prefix
 */
export function parameterOf(url: string, routeUrl: string, followedBy: string | null): string | null {
  const segments = segmentsOf(pathOf(url))
  const position = segments.length - (followedBy === null ? 1 : 2)
  // Segments before the name may be empty if the host ignores duplicate slashes. The name itself must not be.
  const before = segments.slice(0, position).filter(segment => segment !== '')
  if (before.length !== segmentsOf(routeUrl).length - 1 || segments[position - 1] === '' || !segments[position]) return null
  return decoded(segments[position])
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
