import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Session } from '../../schemas/session.ts'
import { createTaskDashboardError } from '../errors.ts'
import type { Monitoring } from '../queue-app/monitoring/monitoring.ts'
import type { SeesTask } from './access/callbacks.ts'
import type { Action } from './actions.ts'
import { withAuditDeadlines, type PatientAudit } from './audit/audit-deadlines.ts'
import { createAuditReader } from './resources/audit/audit-reader.ts'
import { createBulkCommands } from './resources/bulk/bulk-commands.ts'
import { createBulkReader } from './resources/bulk/bulk-reader.ts'
import { createDoctorReader } from './resources/doctor/doctor-reader.ts'
import { createExecutionCommands } from './resources/executions/execution-commands.ts'
import { createExecutionReader } from './resources/executions/execution-reader.ts'
import { createFailureCommands } from './resources/failures/failure-commands.ts'
import { createFailureReader } from './resources/failures/failure-reader.ts'
import { createHealthReader } from './resources/health/health-reader.ts'
import { createQueueCommands } from './resources/queues/queue-commands.ts'
import { createQueueReader } from './resources/queues/queue-reader.ts'
import { createScheduleCommands } from './resources/schedules/schedule-commands.ts'
import { createScheduleReader } from './resources/schedules/schedule-reader.ts'
import { createSnapshots, type Snapshots } from './resources/snapshots.ts'
import { createStatsReader } from './resources/stats/stats-reader.ts'
import { createTaskCommands } from './resources/tasks/task-commands.ts'
import { createTaskReader } from './resources/tasks/task-reader.ts'
import { createWorkerReader } from './resources/workers/worker-reader.ts'
import { createWrite } from './resources/writing.ts'
import type { Access } from './access/access-hook.ts'
import type { RateLimits } from './access/rate-limits.ts'
import type { UserReader } from './access/identify.ts'
import type { Operations } from '../queue-app/operations/operations.ts'
import type { ResolvedOptions } from './options.ts'
import { VERSION } from '../version.ts'
import { createStreamProbe, type StreamProbe } from './resources/doctor/stream-probe.ts'

/** Bound to one queue app, on the dashboard's own encapsulated instance. Prefixed, because a host may have its own `tasks`. */
const RESOURCES = 'taskDashboardResources'
const AUDIT_LOG = 'taskDashboardAuditLog'
const TASK_OF_QUEUE = 'taskDashboardTaskOfQueue'
const REASONS = 'taskDashboardReasons'
const LIMITS = 'taskDashboardLimits'
const SESSION = 'taskDashboardSession'
const ANSWERS = 'taskDashboardAnswers'
const STREAM_PROBE = 'taskDashboardStreamProbe'
const DOCUMENT = 'taskDashboardDocument'
const USER = 'taskDashboardUserOf'
const IS_ALLOWED = 'taskDashboardIsAllowed'

export type DocumentReader = () => Promise<object>
/** @param taskName the task to return the allowed actions for; without one, the actions that are allowed in general */
export type SessionReader = (request: FastifyRequest, taskName?: string) => Promise<Session>

interface Helpers {
  readonly access: Pick<Access, 'isAllowed'>
  readonly limits: RateLimits
  readonly readUser: UserReader
  readonly readSession: SessionReader
  readonly readDocument: DocumentReader
  readonly views: Views
}

export function decorate(
  app: FastifyInstance, options: ResolvedOptions, { access, limits, readUser, readSession, readDocument, views }: Helpers
): void {
  const { monitoring, operations, requireReason } = options
  app.decorate(RESOURCES, views.of)
  app.decorate(AUDIT_LOG, withAuditDeadlines(operations.audit, monitoring))
  app.decorate(TASK_OF_QUEUE, monitoring.taskOfQueue)
  app.decorate(REASONS, requireReason)
  app.decorate(LIMITS, limits)
  app.decorate(ANSWERS, operations.answers)
  app.decorate(STREAM_PROBE, createStreamProbe())
  app.decorate(SESSION, readSession)
  app.decorate(USER, readUser)
  app.decorate(IS_ALLOWED, access.isAllowed)
  app.decorate(DOCUMENT, readDocument)
}

/** What requests see of the queue app. */
export type Views = ReturnType<typeof createViews>

type View = ReturnType<typeof createView>

/** One view for everybody, or one for each request if the option `scope` is set. */
export function createViews(options: ResolvedOptions) {
  const { monitoring, operations, scope, within } = options
  const snapshots = createSnapshots()
  const everything = createView({ monitoring, operations }, null, snapshots, snapshots, options)
  const views = new WeakMap<FastifyRequest, View>()
  return {
    /** Limits a request to some tasks; null for no limit. */
    enter(request: FastifyRequest, sees: SeesTask | null): void {
      // Requests with different scopes share no snapshots.
      views.set(request, sees === null ? everything : createView(within!(sees), sees, createSnapshots(), snapshots, options))
    },

    /** Throws for a request that has not entered, whatever the reason. */
    of(request: FastifyRequest): View {
      const view = scope === null ? everything : views.get(request)
      if (view === undefined) throw createTaskDashboardError('SCOPE_FAILED', [request.id])
      return view
    }
  }
}

/** Readers and commands, created when they are needed. */
function createView(
  { monitoring, operations }: { readonly monitoring: Monitoring; readonly operations: Operations },
  sees: SeesTask | null, snapshots: Snapshots, shared: Snapshots, { trustForwarded, theme: { traceUrl } }: ResolvedOptions
) {
  const write = createWrite(monitoring, {
    clear() {
      snapshots.clear()
      shared.clear()
    }
  })
  return {
    monitoring,
    /** Null for all tasks. */
    sees,
    stats: once(() => createStatsReader(monitoring, snapshots)),
    health: once(() => createHealthReader(monitoring, VERSION)),
    tasks: once(() => createTaskReader(monitoring, snapshots)),
    executions: once(() => createExecutionReader(monitoring, snapshots, traceUrl)),
    failures: once(() => createFailureReader(monitoring, snapshots)),
    schedules: once(() => createScheduleReader(monitoring, snapshots)),
    workers: once(() => createWorkerReader(monitoring, snapshots)),
    queues: once(() => createQueueReader(monitoring, snapshots)),
    bulk: once(() => createBulkReader(monitoring)),
    bulkCommands: once(() => createBulkCommands(monitoring, operations, write)),
    audit: once(() => createAuditReader(monitoring)),
    doctor: once(() => createDoctorReader(monitoring, snapshots, { version: VERSION, trustForwarded })),
    taskCommands: once(() => createTaskCommands(operations, write)),
    executionCommands: once(() => createExecutionCommands(operations, write)),
    failureCommands: once(() => createFailureCommands(operations, write)),
    scheduleCommands: once(() => createScheduleCommands(operations, write)),
    queueCommands: once(() => createQueueCommands(operations, write))
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

type Served = Pick<FastifyRequest, 'server'>

function viewOf(request: FastifyRequest): View {
  return request.server.getDecorator<Views['of']>(RESOURCES)(request)
}

/** The queue app as the request may see it; `sees` is null for all tasks. */
export const scopeOf = (request: FastifyRequest): Pick<View, 'monitoring' | 'sees'> => viewOf(request)
export const statsOf = (request: FastifyRequest) => viewOf(request).stats()
export const healthOf = (request: FastifyRequest) => viewOf(request).health()
export const tasksOf = (request: FastifyRequest) => viewOf(request).tasks()
export const taskCommandsOf = (request: FastifyRequest) => viewOf(request).taskCommands()
export const executionsOf = (request: FastifyRequest) => viewOf(request).executions()
export const executionCommandsOf = (request: FastifyRequest) => viewOf(request).executionCommands()
export const failuresOf = (request: FastifyRequest) => viewOf(request).failures()
export const failureCommandsOf = (request: FastifyRequest) => viewOf(request).failureCommands()
export const schedulesOf = (request: FastifyRequest) => viewOf(request).schedules()
export const scheduleCommandsOf = (request: FastifyRequest) => viewOf(request).scheduleCommands()
export const workersOf = (request: FastifyRequest) => viewOf(request).workers()
export const queuesOf = (request: FastifyRequest) => viewOf(request).queues()
export const queueCommandsOf = (request: FastifyRequest) => viewOf(request).queueCommands()
export const bulkOf = (request: FastifyRequest) => viewOf(request).bulk()
export const bulkCommandsOf = (request: FastifyRequest) => viewOf(request).bulkCommands()
export const auditReaderOf = (request: FastifyRequest) => viewOf(request).audit()
export const doctorOf = (request: FastifyRequest) => viewOf(request).doctor()
/** Where writes are recorded. */
export const auditOf = ({ server }: Served) => server.getDecorator<PatientAudit>(AUDIT_LOG)
/** Needs no view, because a refused request can name a queue too. */
export const taskOfQueueOf = ({ server }: Served) => server.getDecorator<Monitoring['taskOfQueue']>(TASK_OF_QUEUE)
/** The actions that need a reason. */
export const reasonsRequiredBy = ({ server }: Served) => server.getDecorator<readonly Action[]>(REASONS)
export const limitsOf = ({ server }: Served) => server.getDecorator<RateLimits>(LIMITS)
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
