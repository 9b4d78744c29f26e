import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { DashboardOptions } from '../dashboard/options.ts'

/** Options of `createBlueprint`, `getUrls` and the short forms for each host: those of `dashboardPlugin`, and these. */
export interface HostOptions extends Omit<DashboardOptions, 'queueApp' | 'tags'> {
  /** Where warnings and defects are logged. Default: JSON lines on stderr, from `warn` on. */
  logger?: FastifyBaseLogger
  /** Called once with the Fastify that answers, before it starts: for hooks, and for routes, which `auth` and `authorize` do not guard. */
  configure?: (fastify: FastifyInstance) => void
  /** Stops the queue app when the dashboard is closed. Default false: who started it, stops it. */
  stopOnClose?: boolean
}

/** What the entry points take: a queue app. */
export type HostedQueueApp = DashboardOptions['queueApp'] & { stop?(): Promise<void> }
