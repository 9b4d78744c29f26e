import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { resolveOptions, unsetPrefix, type DashboardOptions, type ResolvedOptions } from '../dashboard/options.ts'
import { createTaskDashboardError } from '../errors.ts'
import { isUnset, unsetProblems } from '../input/unset-problems.ts'

/**
 * Options of `createBlueprint`, `getUrls` and the short forms for each host: those of `dashboardPlugin`, and these. `prefix` and
 * `configure` are refused, as are the options of access, when they are given as undefined or null.
 */
export interface HostOptions extends Omit<DashboardOptions, 'queueApp' | 'tags'> {
  /** Where warnings and defects are logged. Default: JSON lines on stderr, from `warn` on. */
  logger?: FastifyBaseLogger
  /**
   * Called once with the Fastify that answers, before it starts: for hooks, and for routes, which `auth` and `authorize` do not guard. What
   * it throws is thrown where the dashboard is made. A promise is waited for before the first answer, 10 seconds at most; when it rejects
   * or takes longer, the log has the reason and no request is answered: 503 on node:http, elsewhere an error of the host. Not for Nest on
   * Fastify: add hooks and routes to the application itself there.
   */
  configure?: (fastify: FastifyInstance) => void | Promise<void>
  /** Stops the queue app when the dashboard is closed. Default false: who started it, stops it. */
  stopOnClose?: boolean
}

/** What the entry points take: a queue app. */
export type HostedQueueApp = DashboardOptions['queueApp'] & { stop?(): Promise<void> }

/**
 * Checks the options of a host and those of the dashboard among them. Throws one INVALID_OPTIONS that lists all problems.
 * @param refused options that make no sense here, with the reason
 */
export function checkHostOptions(
  queueApp: HostedQueueApp, options: HostOptions, refused: Readonly<Record<string, string>> = {}
): ResolvedOptions {
  if (typeof options !== 'object' || options === null) throw createTaskDashboardError('INVALID_OPTIONS', ['options must be an object'])
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
    ...unsetProblems(options, { configure: 'no hooks and routes of yours' }).values(),
    ...isUnset(prefix) || typeof prefix === 'string' ? [] : ['prefix must be a path as a string'],
    ...logger === undefined || isLogger ? [] : ['logger must be a logger as Fastify takes it'],
    ...isUnset(configure) || typeof configure === 'function' ? [] : ['configure must be a function'],
    ...stopOnCloseProblems(stopOnClose)
  ]
}

export function stopOnCloseProblems(stopOnClose: unknown): string[] {
  return stopOnClose === undefined || typeof stopOnClose === 'boolean' ? [] : ['stopOnClose must be true or false']
}
