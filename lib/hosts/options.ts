import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { DashboardOptions } from '../dashboard/options.ts'

/** Options of `createBlueprint`, `getUrls` and the short forms for each host: those of `dashboardPlugin`, and these. */
export interface HostOptions extends Omit<DashboardOptions, 'queueApp' | 'tags'> {
  /** Where warnings and defects are logged. Default: JSON lines on stderr, from `warn` on. */
  logger?: FastifyBaseLogger
  /**
   * Called once with the Fastify that answers, before it starts: for hooks, and for routes, which `auth` and `authorize` do not guard. What it throws
   * is thrown where the dashboard is made. A promise is waited for before the first answer, 10 seconds at most; when it rejects or takes longer, the
   * log has the reason and no request is answered: 503 on node:http, elsewhere an error of the host.
   */
  configure?: (fastify: FastifyInstance) => void | Promise<void>
  /** Stops the queue app when the dashboard is closed. Default false: who started it, stops it. */
  stopOnClose?: boolean
}

/** What the entry points take: a queue app. */
export type HostedQueueApp = DashboardOptions['queueApp'] & { stop?(): Promise<void> }
