import type { Api } from '../http/routes/api.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { bulkRoutes } from './bulk/bulk-routes.ts'
import { doctorRoutes } from './doctor/doctor-routes.ts'
import { executionRoutes } from './executions/execution-routes.ts'
import { failureRoutes } from './failures/failure-routes.ts'
import { healthRoutes } from './health/health-routes.ts'
import { openApiRoutes } from './openapi/openapi-routes.ts'
import { queueRoutes } from './queues/queue-routes.ts'
import { scheduleRoutes } from './schedules/schedule-routes.ts'
import { sessionRoutes } from './session/session-routes.ts'
import { statsRoutes } from './stats/stats-routes.ts'
import { taskRoutes } from './tasks/task-routes.ts'
import { workerRoutes } from './workers/worker-routes.ts'

export function declareRoutes(api: Api): void {
  healthRoutes(api)
  doctorRoutes(api)
  statsRoutes(api)
  taskRoutes(api)
  executionRoutes(api)
  failureRoutes(api)
  bulkRoutes(api)
  scheduleRoutes(api)
  workerRoutes(api)
  queueRoutes(api)
  auditRoutes(api)
  sessionRoutes(api)
  openApiRoutes(api)
}
