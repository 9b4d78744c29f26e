import type { FastifyRequest } from 'fastify'
import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import type { AccessResource } from '../options.ts'

type ReadSearch = Monitoring['searchNames']

/** Where a search is a filter. Elsewhere it is text that is compared with everything, such as what completions go on from. */
const SEARCHED = /\/executions$/

/**
 * What the path, the query and the search of a request name. One resource as a rule; more when they name several tasks, schedules or
 * executions, so that each name stands in one of them. Every resource must be allowed.
 *
 * A parameter that is there twice is no text and not among them: the schema of every route refuses it.
 */
export function resourcesOf(request: FastifyRequest, readSearch: ReadSearch): AccessResource[] {
  const { parameter } = request.routeOptions.config as unknown as RegisteredConfig
  // Below the prefix, which is the host's and may have words and parameters of ours in it.
  const address = request.routeOptions.url!.slice(request.server.prefix.length)
  const inPath = parameter ? (request.params as Record<string, string | undefined>)[parameter] : undefined
  const query = (request.query ?? {}) as Readonly<Record<string, unknown>>
  const search = isSearched(request, address) ? textOf(query['search']) : undefined
  const { taskNames, scheduleIds, executionIds } = readSearch(search ?? '')
  const isOf = (resource: string): boolean => address.startsWith(`/api/${resource}/`)
  return combined({
    taskName: [isOf('tasks') ? inPath : undefined, textOf(query['task_name']), ...taskNames],
    scheduleId: [isOf('schedules') ? inPath : undefined, textOf(query['schedule_id']), ...scheduleIds],
    executionId: [isOf('executions') ? inPath : undefined, ...executionIds]
  })
}

function isSearched(request: FastifyRequest, address: string): boolean {
  const { followedBy } = request.routeOptions.config as unknown as RegisteredConfig
  return SEARCHED.test(followedBy ? `/${followedBy}` : address)
}

type Names = Readonly<Record<keyof AccessResource, ReadonlyArray<string | undefined>>>

/** As many resources as the longest list has names; a shorter list goes on with its last one. */
function combined(names: Names): AccessResource[] {
  const lists = Object.entries(names).flatMap(([key, values]) => {
    const distinct = [...new Set(values.filter(value => value !== undefined))]
    return distinct.length === 0 ? [] : [[key, distinct] as const]
  })
  const length = Math.max(1, ...lists.map(([, values]) => values.length))
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(lists.map(([key, values]) => [key, values[Math.min(index, values.length - 1)]!])))
}

/** As the schema takes it: a host's own parser of queries may make numbers and booleans, which become text again. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
