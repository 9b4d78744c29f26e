import type { Api } from '../api.ts'
import { doctorRoutes } from './doctor.ts'
import { executionRoutes } from './executions.ts'
import { failureRoutes } from './failures.ts'
import { healthRoutes } from './health.ts'
import { openApiRoutes } from './openapi.ts'
import { scheduleRoutes } from './schedules.ts'
import { sessionRoutes } from './session.ts'
import { statsRoutes } from './stats.ts'
import { taskRoutes } from './tasks.ts'

export function declareRoutes(api: Api): void {
  healthRoutes(api)
  doctorRoutes(api)
  statsRoutes(api)
  taskRoutes(api)
  executionRoutes(api)
  failureRoutes(api)
  scheduleRoutes(api)
  sessionRoutes(api)
  openApiRoutes(api)
}
