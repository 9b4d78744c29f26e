import type { FastifyRequest } from 'fastify'
import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import type { AccessResource } from '../options.ts'

type ReadNames = Pick<Monitoring, 'searchNames' | 'taskOfQueue'>

/** Routes where a search is a filter. Elsewhere it is plain text, such as a search that is being completed. */
const SEARCHED = /\/executions$/

/**
 * The resources that a request names in its path, query and search. Usually one. If several tasks, schedules or executions are named, there
 * are more, so that each name is in one of them. Every resource must be allowed.
 *
 * A repeated parameter is not text and is ignored here, because every route's schema rejects it.
 */
export function resourcesOf(request: FastifyRequest, read: ReadNames): AccessResource[] {
  const { parameter, tellsAboutTask = false } = request.routeOptions.config as unknown as RegisteredConfig
  // Without the prefix, which belongs to the host and may contain words and parameters like ours.
  const address = request.routeOptions.url!.slice(request.server.prefix.length)
  const inPath = parameter ? (request.params as Record<string, string | undefined>)[parameter] : undefined
  const query = (request.query ?? {}) as Readonly<Record<string, unknown>>
  const search = isSearched(request, address) ? textOf(query['search']) : undefined
  const { taskNames, scheduleIds, executionIds } = read.searchNames(search ?? '')
  const isOf = (resource: string): boolean => address.startsWith(`/api/${resource}/`)
  return combined({
    taskName: [
      isOf('tasks') ? inPath : undefined, ...isOf('queues') && inPath !== undefined ? namesOfQueue(inPath, read) : [],
      tellsAboutTask ? undefined : textOf(query['task_name']), ...taskNames
    ],
    scheduleId: [isOf('schedules') ? inPath : undefined, textOf(query['schedule_id']), ...scheduleIds],
    executionId: [isOf('executions') ? inPath : undefined, ...executionIds],
    errorGroup: [isOf('failures') ? inPath : undefined],
    queue: [isOf('queues') ? inPath : undefined],
    operationId: [isOf('bulk') ? inPath : undefined]
  })
}

/** The task that a body names, whether or not it was validated: that of a new schedule, or the one that a bulk operation is limited to. */
export function taskInBody({ body }: FastifyRequest): string | undefined {
  const { task_name: own, filter } = (body ?? {}) as { task_name?: unknown; filter?: { task_name?: unknown } | null }
  const taskName = own ?? filter?.task_name
  return typeof taskName === 'string' ? taskName : undefined
}

/** A queue can be named by its own name or by its task's. If these could be two tasks, both must be allowed. */
function namesOfQueue(name: string, { taskOfQueue }: ReadNames): string[] {
  return [taskOfQueue(name), name]
}

function isSearched(request: FastifyRequest, address: string): boolean {
  const { followedBy } = request.routeOptions.config as unknown as RegisteredConfig
  return SEARCHED.test(followedBy ? `/${followedBy}` : address)
}

type Names = Readonly<Record<keyof AccessResource, ReadonlyArray<string | undefined>>>

/** Returns as many resources as the longest list has names. Shorter lists repeat their last name. */
function combined(names: Names): AccessResource[] {
  const lists = Object.entries(names).flatMap(([key, values]) => {
    const distinct = [...new Set(values.filter(value => value !== undefined))]
    return distinct.length === 0 ? [] : [[key, distinct] as const]
  })
  const length = Math.max(1, ...lists.map(([, values]) => values.length))
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(lists.map(([key, values]) => [key, values[Math.min(index, values.length - 1)]!])))
}

/** The text form that the schema expects. A host's query parser may have turned it into a number or boolean. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
