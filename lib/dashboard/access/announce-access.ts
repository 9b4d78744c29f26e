import type { FastifyBaseLogger } from 'fastify'
import type { ResolvedOptions } from '../options.ts'

const WAYS_ON = 'Set auth, authorize or access: see docs/access.md'
const ANSWERS_NOBODY = `The task dashboard refuses every request, because access is not configured and NODE_ENV is production. ${WAYS_ON}`
const ANSWERS_LOCAL =
  `The task dashboard answers only local requests, because access is not configured. A proxy on this machine can look local. ${WAYS_ON}`

/** Messages already emitted in this process, because some servers mount many dashboards. */
const said = new Set<string>()

/** Reports at start that access is not configured: in the log, or as a process warning if the host has no log. */
export function announceAccess({ answers, isUnconfigured }: ResolvedOptions, log: FastifyBaseLogger): void {
  if (!isUnconfigured) return
  const message = answers === 'nobody' ? ANSWERS_NOBODY : ANSWERS_LOCAL
  // Fastify's no-op logger has no level.
  if (typeof log.level === 'string' && log.level !== 'silent') return log.warn(message)
  if (said.has(message)) return
  said.add(message)
  process.emitWarning(message, { type: 'TaskDashboardWarning', code: 'ACCESS_NOT_CONFIGURED' })
}
