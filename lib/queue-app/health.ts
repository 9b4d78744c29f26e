import type { HealthStatus } from '../../schemas/health.ts'
import type { Schedules } from '../scheduler/schedules.ts'
import type { Store } from '../stores/store.ts'
import type { HealthReport } from './monitoring.ts'
import type { TaskRegistry } from './task-registry.ts'

export interface HealthDependencies {
  isStarted(): boolean
  readonly broker: Pick<Store, 'ping'>
  readonly resultStore: Pick<Store, 'ping'>
  readonly schedules: Pick<Schedules, 'status'>
  readonly registry: Pick<TaskRegistry, 'processes'>
  /** What the recorder and the reconciler say of themselves; null when there is nothing to say. */
  recordingProblem(): string | null
  now?(): number
}

type Component = HealthReport['components'][keyof HealthReport['components']]

const PING_TIMEOUT_MS = 1500

/** Asks each part at most once a call; never rejects and is done within 2 s. */
export function createHealthCheck({ isStarted, broker, resultStore, schedules, registry, recordingProblem, now = Date.now }: HealthDependencies) {
  const createdAt = now()

  return async function checkHealth(): Promise<HealthReport> {
    const app: Component = isStarted() ? { healthy: true, message: 'running' } : { healthy: false, message: 'not started' }
    const [brokerState, backendState] = app.healthy ? await Promise.all([ping(broker), ping(resultStore)]) : [notAsked, notAsked]
    const components = {
      app,
      broker: brokerState,
      backend: withProblem(backendState, recordingProblem()),
      scheduler: app.healthy ? schedules.status() : notAsked,
      workers: brokerState.healthy ? await describeWorkers() : unknownWorkers
    }
    return { status: judge(components, backendState.healthy), timestamp: now(), uptimeMs: now() - createdAt, components }
  }

  async function describeWorkers(): Promise<Component> {
    try {
      const processes = await registry.processes()
      if (processes.length === 0) return { healthy: false, message: 'no process runs tasks: what is enqueued waits' }
      return { healthy: true, message: processes.length === 1 ? '1 process runs tasks' : `${processes.length} processes run tasks` }
    } catch {
      return unknownWorkers
    }
  }
}

const notAsked: Component = { healthy: false, message: 'not known: the queue app is not started' }
const unknownWorkers: Component = { healthy: false, message: 'not known: the broker cannot be asked' }

async function ping(store: Pick<Store, 'ping'>): Promise<Component> {
  try {
    return { healthy: true, message: 'reachable', latencyMs: await store.ping(PING_TIMEOUT_MS) }
  } catch {
    return { healthy: false, message: 'cannot be reached' }
  }
}

function withProblem(component: Component, problem: string | null): Component {
  if (problem === null) return component
  return { ...component, healthy: false, message: component.healthy ? problem : `${component.message}; ${problem}` }
}

/** Without app, broker or backend nothing works; all else needs attention but answers. */
function judge(components: HealthReport['components'], backendReachable: boolean): HealthStatus {
  if (!components.app.healthy || !components.broker.healthy || !backendReachable) return 'unhealthy'
  return Object.values(components).every(component => component.healthy) ? 'healthy' : 'degraded'
}
