import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { resolveOptions, unsetPrefix, type DashboardOptions, type ResolvedOptions } from '../dashboard/options.ts'
import { createTaskDashboardError } from '../errors.ts'
import { isUnset, unsetProblems } from '../input/unset-problems.ts'
import { isObject } from '../json/is-object.ts'

/**
 * Options of `createBlueprint`, `getUrls` and the short forms for each host: those of `dashboardPlugin`, plus these. `prefix`, `configure`
 * and the access options must not be undefined or null.
 */
export interface HostOptions extends Omit<DashboardOptions, 'queueApp' | 'tags'> {
  /** Where warnings and bugs are logged. Default: JSON lines on stderr, from `warn` on. */
  logger?: FastifyBaseLogger
  /**
   * Called once with the internal Fastify instance before it starts, to add hooks and routes. `auth` and `authorize` do not guard these
   * routes. If it throws, creating the dashboard throws. If it returns a promise, the first response waits for it, at most 10 seconds. If
   * the promise rejects or takes longer, the reason is in the log and every request fails: with 503 on node:http, with an error of the host
   * elsewhere. Not for Nest on Fastify: add hooks and routes to the application itself.
   */
  configure?: (fastify: FastifyInstance) => void | Promise<void>
  /** Stops the queue app when the dashboard closes. Default false: the code that started the queue app stops it. */
  stopOnClose?: boolean
}

/** A queue app, as the entry points take it. */
export type HostedQueueApp = DashboardOptions['queueApp'] & { stop?(): Promise<void> }

/**
 * Checks the options of a host, including those of the dashboard. Throws one INVALID_OPTIONS that lists all problems.
 * @param refused options that this host does not take, with the reason
 */
export function checkHostOptions(
  queueApp: HostedQueueApp, options: HostOptions, refused: Readonly<Record<string, string>> = {}
): ResolvedOptions {
  if (!isObject(options)) throw createTaskDashboardError('INVALID_OPTIONS', ['options must be an object'])
  const { logger: _logger, configure: _configure, stopOnClose: _stopOnClose, prefix: _prefix, ...rest } = options
  const notHere = Object.entries({ ...FOR_FASTIFY_ALONE, ...refused }).filter(([name]) => name in options)
  return resolveOptions(
    { ...rest, queueApp }, undefined,
    [...hostProblems(options), ...notHere.map(([name, reason]) => `${name} is not an option here: ${reason}`)]
  )
}

const FOR_FASTIFY_ALONE = {
  tags: 'createRouter and dashboardPlugin list the API in the document of your Fastify',
  logLevel: 'set it on the logger',
  logSerializers: 'set them on the logger'
}

function hostProblems(options: { readonly [Option in keyof HostOptions]: unknown }): string[] {
  const { logger, configure, stopOnClose, prefix } = options
  const isLogger = typeof logger === 'object' && logger !== null && 'warn' in logger && typeof logger.warn === 'function'
  return [
    ...unsetPrefix(options).values(),
    ...unsetProblems(options, { configure: 'none of your hooks and routes' }).values(),
    ...isUnset(prefix) || typeof prefix === 'string' ? [] : ['prefix must be a path as a string'],
    ...logger === undefined || isLogger ? [] : ['logger must be a logger that Fastify accepts'],
    ...isUnset(configure) || typeof configure === 'function' ? [] : ['configure must be a function'],
    ...stopOnCloseProblems(stopOnClose)
  ]
}

export function stopOnCloseProblems(stopOnClose: unknown): string[] {
  return stopOnClose === undefined || typeof stopOnClose === 'boolean' ? [] : ['stopOnClose must be true or false']
}
