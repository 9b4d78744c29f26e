import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Session } from '../../schemas/session.ts'
import type { Action } from './actions.ts'
import { withDeadlines, type PatientAudit } from './audit/audit-deadlines.ts'
import { createAuditReader, type AuditReader } from './resources/audit/audit-reader.ts'
import { createDoctorReader, type DoctorReader } from './resources/doctor/doctor-reader.ts'
import { createExecutionCommands, type ExecutionCommands } from './resources/executions/execution-commands.ts'
import { createExecutionReader, type ExecutionReader } from './resources/executions/execution-reader.ts'
import { createFailureCommands, type FailureCommands } from './resources/failures/failure-commands.ts'
import { createFailureReader, type FailureReader } from './resources/failures/failure-reader.ts'
import { createHealthReader, type HealthReader } from './resources/health/health-reader.ts'
import { createQueueCommands, type QueueCommands } from './resources/queues/queue-commands.ts'
import { createQueueReader, type QueueReader } from './resources/queues/queue-reader.ts'
import { createScheduleCommands, type ScheduleCommands } from './resources/schedules/schedule-commands.ts'
import { createScheduleReader, type ScheduleReader } from './resources/schedules/schedule-reader.ts'
import { createSnapshots } from './resources/snapshots.ts'
import { createStatsReader, type StatsReader } from './resources/stats/stats-reader.ts'
import { createTaskCommands, type TaskCommands } from './resources/tasks/task-commands.ts'
import { createTaskReader, type TaskReader } from './resources/tasks/task-reader.ts'
import { createWorkerReader, type WorkerReader } from './resources/workers/worker-reader.ts'
import { createWrite } from './resources/writing.ts'
import type { Access } from './access/access-hook.ts'
import type { RateLimits } from './access/rate-limits.ts'
import type { UserReader } from './access/identify.ts'
import type { Operations } from '../queue-app/operations/operations.ts'
import type { ResolvedOptions } from './options.ts'
import { VERSION } from '../version.ts'
import { createStreamProbe, type StreamProbe } from './resources/doctor/stream-probe.ts'

/** Bound to one queue app, on the dashboard's own encapsulated instance. Prefixed, because a host may have its own `tasks`. */
const STATS = 'taskDashboardStats'
const HEALTH = 'taskDashboardHealth'
const TASKS = 'taskDashboardTasks'
const TASK_COMMANDS = 'taskDashboardTaskCommands'
const EXECUTIONS = 'taskDashboardExecutions'
const EXECUTION_COMMANDS = 'taskDashboardExecutionCommands'
const FAILURES = 'taskDashboardFailures'
const FAILURE_COMMANDS = 'taskDashboardFailureCommands'
const SCHEDULES = 'taskDashboardSchedules'
const SCHEDULE_COMMANDS = 'taskDashboardScheduleCommands'
const WORKERS = 'taskDashboardWorkers'
const QUEUES = 'taskDashboardQueues'
const QUEUE_COMMANDS = 'taskDashboardQueueCommands'
const AUDIT = 'taskDashboardAudit'
const AUDIT_LOG = 'taskDashboardAuditLog'
const REASONS = 'taskDashboardReasons'
const LIMITS = 'taskDashboardLimits'
const SESSION = 'taskDashboardSession'
const DOCTOR = 'taskDashboardDoctor'
const ANSWERS = 'taskDashboardAnswers'
const STREAM_PROBE = 'taskDashboardStreamProbe'
const DOCUMENT = 'taskDashboardDocument'
const USER = 'taskDashboardUserOf'
const IS_ALLOWED = 'taskDashboardIsAllowed'

export type DocumentReader = () => Promise<object>
export type SessionReader = (request: FastifyRequest) => Promise<Session>

interface Helpers {
  readonly access: Pick<Access, 'isAllowed'>
  readonly limits: RateLimits
  readonly readUser: UserReader
  readonly readSession: SessionReader
  readonly readDocument: DocumentReader
}

export function decorate(
  app: FastifyInstance, options: ResolvedOptions, { access, limits, readUser, readSession, readDocument }: Helpers
): void {
  const { monitoring, operations, trustForwarded, requireReason } = options
  const snapshots = createSnapshots()
  app.decorate(STATS, createStatsReader(monitoring, snapshots))
  app.decorate(HEALTH, createHealthReader(monitoring, VERSION))
  app.decorate(TASKS, createTaskReader(monitoring, snapshots))
  app.decorate(EXECUTIONS, createExecutionReader(monitoring, snapshots))
  app.decorate(FAILURES, createFailureReader(monitoring, snapshots))
  app.decorate(SCHEDULES, createScheduleReader(monitoring, snapshots))
  app.decorate(WORKERS, createWorkerReader(monitoring, snapshots))
  app.decorate(QUEUES, createQueueReader(monitoring, snapshots))
  app.decorate(AUDIT, createAuditReader(monitoring))
  app.decorate(AUDIT_LOG, withDeadlines(operations.audit, monitoring))
  app.decorate(REASONS, requireReason)
  app.decorate(LIMITS, limits)
  const write = createWrite(monitoring, snapshots)
  app.decorate(TASK_COMMANDS, createTaskCommands(operations, write))
  app.decorate(EXECUTION_COMMANDS, createExecutionCommands(operations, write))
  app.decorate(FAILURE_COMMANDS, createFailureCommands(operations, write))
  app.decorate(SCHEDULE_COMMANDS, createScheduleCommands(operations, write))
  app.decorate(QUEUE_COMMANDS, createQueueCommands(operations, write))
  app.decorate(DOCTOR, createDoctorReader(monitoring, snapshots, { version: VERSION, trustForwarded }))
  app.decorate(ANSWERS, operations.answers)
  app.decorate(STREAM_PROBE, createStreamProbe())
  app.decorate(SESSION, readSession)
  app.decorate(USER, readUser)
  app.decorate(IS_ALLOWED, access.isAllowed)
  app.decorate(DOCUMENT, readDocument)
}

type Served = Pick<FastifyRequest, 'server'>

export const statsOf = ({ server }: Served) => server.getDecorator<StatsReader>(STATS)
export const healthOf = ({ server }: Served) => server.getDecorator<HealthReader>(HEALTH)
export const tasksOf = ({ server }: Served) => server.getDecorator<TaskReader>(TASKS)
export const taskCommandsOf = ({ server }: Served) => server.getDecorator<TaskCommands>(TASK_COMMANDS)
export const executionsOf = ({ server }: Served) => server.getDecorator<ExecutionReader>(EXECUTIONS)
export const executionCommandsOf = ({ server }: Served) => server.getDecorator<ExecutionCommands>(EXECUTION_COMMANDS)
export const failuresOf = ({ server }: Served) => server.getDecorator<FailureReader>(FAILURES)
export const failureCommandsOf = ({ server }: Served) => server.getDecorator<FailureCommands>(FAILURE_COMMANDS)
export const schedulesOf = ({ server }: Served) => server.getDecorator<ScheduleReader>(SCHEDULES)
export const scheduleCommandsOf = ({ server }: Served) => server.getDecorator<ScheduleCommands>(SCHEDULE_COMMANDS)
export const workersOf = ({ server }: Served) => server.getDecorator<WorkerReader>(WORKERS)
export const queuesOf = ({ server }: Served) => server.getDecorator<QueueReader>(QUEUES)
export const queueCommandsOf = ({ server }: Served) => server.getDecorator<QueueCommands>(QUEUE_COMMANDS)
export const auditReaderOf = ({ server }: Served) => server.getDecorator<AuditReader>(AUDIT)
/** Where writes are recorded. */
export const auditOf = ({ server }: Served) => server.getDecorator<PatientAudit>(AUDIT_LOG)
/** The actions that need a reason. */
export const reasonsRequiredBy = ({ server }: Served) => server.getDecorator<readonly Action[]>(REASONS)
export const limitsOf = ({ server }: Served) => server.getDecorator<RateLimits>(LIMITS)
export const doctorOf = ({ server }: Served) => server.getDecorator<DoctorReader>(DOCTOR)
export const answersOf = ({ server }: Served) => server.getDecorator<Operations['answers']>(ANSWERS)
export const streamProbeOf = ({ server }: Served) => server.getDecorator<StreamProbe>(STREAM_PROBE)
export const sessionOf = ({ server }: Served) => server.getDecorator<SessionReader>(SESSION)
export const documentOf = ({ server }: Served) => server.getDecorator<DocumentReader>(DOCUMENT)
/** Whether the policy of the host allows an action on a resource; may reject. */
export const isAllowedOf = ({ server }: Served) => server.getDecorator<Access['isAllowed']>(IS_ALLOWED)
/** The user to record with a change; null if unknown. If it rejects with IDENTIFY_FAILED, nothing may be changed. */
export async function userOf(request: FastifyRequest): Promise<string | null> {
  return (await request.server.getDecorator<UserReader>(USER)(request))?.label ?? null
}
