import { setTimeout as sleep } from 'node:timers/promises'
import type { HealthStatus } from '../../../schemas/health.ts'
import { isTaskDashboardError } from '../../errors.ts'
import { MAX_CLOCK_SKEW_MS } from '../../scheduler/runs/late-after.ts'
import type { Schedules } from '../../scheduler/schedules.ts'
import { describeSkew } from '../../stores/store-clock.ts'
import { storeRefusalOf } from '../../stores/failures/store-refusal.ts'
import type { Store } from '../../stores/store.ts'
import { RECONNECTED_WITHIN_MS, SERVER_PATIENCE_MS } from '../../time/budgets.ts'
import type { HealthReport } from './monitoring.ts'
import type { PublishedProcess } from '../processes/process-heartbeats.ts'
import { runsTasks, type TaskRegistry } from '../tasks/task-registry.ts'

export interface HealthDependencies {
  isStarted(): boolean
  readonly broker: Pick<Store, 'ping'>
  readonly resultStore: Pick<Store, 'ping'>
  readonly schedules: Pick<Schedules, 'status'>
  readonly registry: Pick<TaskRegistry, 'processes'>
  /** This process's id. */
  readonly workerId: string
  /** Problems that this process's recorder, reconciler and retention report; null if there are none. */
  recordingProblem(): string | null
  /** A problem between processes, such as two applications that share a namespace, as a sentence; null if there is none. Default: none. */
  processProblem?(processes: readonly PublishedProcess[]): string | null
  /** Why the broker, or the result backend, refuses writes; null while it accepts them. Never rejects. Default: they are accepted. */
  writeRefusal?(): Promise<string | null>
  backendWriteRefusal?(): Promise<string | null>
  /** Set in an app that observes queues; null or absent in all others. */
  readonly observing?: Observing | null
  now?(): number
  /** Milliseconds since the epoch. Default: now. */
  readonly createdAt?: number
}

export interface Observing {
  /** Whether the app has no tasks of its own. */
  readonly isAll: boolean
  /** Whether the queue with this name is an observed one. */
  has(queueName: string): boolean
  /** What keeps queues from being shown, as a sentence; null if nothing does. */
  problem(): string | null
  /** Whether some queue can be read although others cannot. */
  readsAny(): boolean
  /** Which queues can lose jobs because of who owns them, as a sentence; null if none is known. */
  ownersProblem(): string | null
  /** What the history lost earlier in the last day, as a sentence; null if nothing was lost. It is said, but nobody needs to be alerted. */
  earlierLosses(): string | null
  /** Whether the history is in the memory of this process, because no result backend was configured. */
  readonly endsWithProcess: boolean
  /** Whether the app may retry, cancel, pause and resume, and change schedules. */
  readonly manages: boolean
}

type Component = HealthReport['components'][keyof HealthReport['components']]

const PING_AGAIN_AFTER_MS = 100

/** Checks each part at most once per call; never rejects and finishes within 2 s. */
export function createHealthCheck(dependencies: HealthDependencies) {
  const { isStarted, broker, resultStore, schedules, registry, workerId, recordingProblem } = dependencies
  const {
    processProblem = () => null, writeRefusal = async () => null, backendWriteRefusal = async () => null, now = Date.now
  } = dependencies
  const { createdAt = now(), observing = null } = dependencies

  return async function checkHealth(): Promise<HealthReport> {
    const app: Component = isStarted() ? { healthy: true, message: 'running' } : { healthy: false, message: 'not started' }
    const [brokerState, backendState] = app.healthy
      ? await Promise.all([stateOf(broker, writeRefusal), stateOf(resultStore, backendWriteRefusal)])
      : [NOT_ASKED, NOT_ASKED]
    const processes = brokerState.answersReads ? await registry.processes().catch(() => null) : null
    const components = {
      app,
      broker: withProblems(brokerState.component, [observing?.problem() ?? null]),
      backend: withMention(
        withProblems(withEnd(backendState.component, observing), [recordingProblem(), problemElsewhere(processes ?? [], workerId)]),
        app.healthy ? observing?.earlierLosses() : null
      ),
      scheduler: app.healthy ? schedules.status() : notAsked,
      workers: observing?.isAll ? withClashes(OF_OTHERS, [observing.ownersProblem()]) : withClashes(describeWorkers(processes), [
        refusalOfWorkers(processes ?? []), clockProblem(processes ?? []), processProblem(processes ?? []),
        observing?.ownersProblem() ?? null
      ])
    }
    // What happens to some observed queues affects neither the app's own tasks nor the other queues.
    const isBrokerWell = brokerState.component.healthy && (components.broker.healthy || !observing?.isAll || observing.readsAny())
    return { status: judge(components, isBrokerWell, backendState.answersReads), timestamp: now(), uptimeMs: now() - createdAt, components }
  }
}

function describeWorkers(all: readonly PublishedProcess[] | null): Component {
  if (all === null) return { healthy: false, message: 'unknown: the broker cannot be asked' }
  const staying = all.filter(process => !process.isStopping)
  const processes = staying.filter(runsTasks)
  const cutOff = staying.filter(process => process.unreachable > 0).length
  if (cutOff > 0) {
    return {
      healthy: false,
      message: `${processes.length} of ${staying.length} processes run tasks; ${cutOff} cannot reach the broker to take executions`
    }
  }
  if (processes.length === 0) return { healthy: false, message: 'no process runs tasks: enqueued executions wait' }
  return { healthy: true, message: processes.length === 1 ? '1 process runs tasks' : `${processes.length} processes run tasks` }
}

/** The app cannot know any problem of these workers. Its statistics say that their number is unknown. */
const OF_OTHERS: Component = { healthy: true, message: 'unknown: other code works on these queues' }

function withEnd(component: Component, observing: Observing | null): Component {
  return component.healthy && observing?.endsWithProcess
    ? withMention(component, 'the history is in memory and ends with this process: name a `backend` to keep it')
    : component
}

function withMention(component: Component, mention: string | null | undefined): Component {
  return mention ? { ...component, message: `${component.message}; ${mention}` } : component
}

function withClashes(workers: Component, all: ReadonlyArray<string | null>): Component {
  const clashes = all.filter(clash => clash !== null)
  return clashes.length === 0 ? workers : { healthy: false, message: [workers.message, ...clashes].join('; ') }
}

/** Reports a missing right that only workers need, because nothing else would notice it. */
function refusalOfWorkers(processes: readonly PublishedProcess[]): string | null {
  const refusals = processes.flatMap(({ refusal }) => refusal ?? [])
  if (refusals.length === 0) return null
  return refusals.length === 1
    ? `the broker refuses the workers of one process: ${refusals[0]}`
    : `the broker refuses the workers of ${refusals.length} processes, for example: ${refusals[0]}`
}

/** A wrong clock matters because a worker starts due executions by its own clock. Of several wrong clocks, the worst is reported. */
function clockProblem(processes: readonly PublishedProcess[]): string | null {
  const wrong = processes.map(({ aheadMs = 0 }) => aheadMs)
    .filter(aheadMs => Math.abs(aheadMs) > MAX_CLOCK_SKEW_MS)
    .sort((one, other) => Math.abs(other) - Math.abs(one))
  if (wrong.length === 0) return null
  const furthest = describeSkew(wrong[0]!)
  return wrong.length === 1
    ? `the clock of one process is ${furthest}: correct it`
    : `the clocks of ${wrong.length} processes are wrong, one of them ${furthest}: correct them`
}

/** Quotes one process's problem without naming the process: a user who may only see health must not learn host names. */
function problemElsewhere(processes: readonly PublishedProcess[], workerId: string): string | null {
  const problems = processes.filter(
    process => process.workerId !== workerId
  ).map(process => process.recordingProblem).filter(problem => problem)
  if (problems.length === 0) return null
  return problems.length === 1 ? `another process: ${problems[0]}` : `${problems.length} other processes, for example: ${problems[0]}`
}

const notAsked: Component = { healthy: false, message: 'unknown: the queue app is not started' }
const NOT_ASKED: StoreState = { component: notAsked, answersReads: false }

/** A server that responds to reads may refuse writes: after a failover it may be a replica. */
async function stateOf(store: Pick<Store, 'ping'>, askRefusal: () => Promise<string | null>): Promise<StoreState> {
  const [state, refusal] = await Promise.all([ping(store), askRefusal()])
  const component = state.healthy && refusal !== null ? { ...state, healthy: false, message: `reachable, but ${refusal}` } : state
  return { component, answersReads: state.healthy }
}

interface StoreState { readonly component: Component; readonly answersReads: boolean }

async function ping(store: Pick<Store, 'ping'>): Promise<Component> {
  const startedAt = performance.now()
  const passedMs = (): number => performance.now() - startedAt
  for (;;) {
    try {
      return { healthy: true, message: 'reachable', latencyMs: await store.ping(SERVER_PATIENCE_MS - passedMs()) }
    } catch (error) {
      const refusal = storeRefusalOf(error)
      if (refusal) return { healthy: false, message: `reachable, but it refuses: ${refusal.reason}`, latencyMs: passedMs() }
      const isLost = isTaskDashboardError(error) && error.code === 'EMBEDDED_STORE_LOST'
      if (isLost) return { healthy: false, message: 'its database ended, and its data in memory is gone: restart the process' }
      // While a replica refuses writes, its connection is reopened repeatedly. That is not an outage.
      if (passedMs() > RECONNECTED_WITHIN_MS) return { healthy: false, message: 'cannot be reached' }
      await sleep(PING_AGAIN_AFTER_MS)
    }
  }
}

function withProblems(component: Component, all: ReadonlyArray<string | null>): Component {
  const problems = all.filter(problem => problem !== null)
  if (problems.length === 0) return component
  return { ...component, healthy: false, message: [...component.healthy ? [] : [component.message], ...problems].join('; ') }
}

/**
 * The app, a broker that accepts writes and a readable backend are essential. Any other problem needs attention, but requests still work.
 */
function judge(components: HealthReport['components'], isBrokerWell: boolean, isBackendReadable: boolean): HealthStatus {
  if (!components.app.healthy || !isBrokerWell || !isBackendReadable) return 'unhealthy'
  return Object.values(components).every(component => component.healthy) ? 'healthy' : 'degraded'
}
