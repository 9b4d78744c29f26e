import { createTaskDashboardError } from '../../errors.ts'
import { isSameApp, nameOfApp, type AppIdentity } from './app-identity.ts'
import type { PublishedProcess } from './process-heartbeats.ts'
import { createRepeatedSteps } from '../../time/repeated-steps.ts'
import { MINUTE_MS } from '../../time/units.ts'

export interface NamespaceWatchDependencies {
  readonly namespace: string
  /** This process's application. The process may run no tasks and so be in no list. */
  readonly app: AppIdentity
  processes(): Promise<readonly PublishedProcess[]>
  onError(error: Error): void
}

export interface NamespaceWatch {
  /** Checks now and once a minute, and reports each pair of applications to `onError` once. */
  start(): void
  /** Resolves after the check that is running. Never rejects. */
  stop(): Promise<void>
  /** For health, without names: a user who sees it may not be allowed to see more. */
  problem(processes: readonly PublishedProcess[]): string | null
}

interface Clash { readonly a: AppIdentity; readonly b: AppIdentity; readonly reason: string }
interface Group { readonly app: AppIdentity; readonly tasks: Set<string> }

const LOOK_EVERY_MS = MINUTE_MS

/**
 * Detects two applications that share a namespace, so that each runs what the other enqueues. They count as two if their `appName` differs.
 * If one has none, they count as two if they were started from different packages and register the same tasks. Processes with different
 * tasks may be roles of one application, so they are not reported.
 */
export function createNamespaceWatch({ namespace, app, processes, onError }: NamespaceWatchDependencies): NamespaceWatch {
  const reported = new Set<string>()

  const checks = createRepeatedSteps({
    everyMs: LOOK_EVERY_MS,
    startsAtOnce: true,
    async step() {
      const clash = findClash(await processes(), app)
      if (clash === null || reported.has(clash.reason)) return 0
      reported.add(clash.reason)
      onError(createTaskDashboardError('NAMESPACE_SHARED', [namespace, clash.reason]))
      return 0
    },
    // An outage of the broker is reported elsewhere.
    onError() {}
  })
  return {
    start: checks.start,
    stop: checks.stop,
    problem: list => findClash(list, app) === null
      ? null
      : 'two applications share the namespace: give each its own, or both the same appName if they are one'
  }
}

/** The first two groups of processes that belong to different applications; null if there are none. */
export function findClash(processes: readonly PublishedProcess[], own: AppIdentity): Clash | null {
  const groups = [...groupByApp(processes, own)]
  for (const [index, a] of groups.entries()) {
    for (const b of groups.slice(index + 1)) {
      const reason = isSameApp(a.app, b.app) ? null : reasonOf(a, b)
      if (reason !== null) return { a: a.app, b: b.app, reason }
    }
  }
  return null
}

function groupByApp(processes: readonly PublishedProcess[], own: AppIdentity): Iterable<Group> {
  const groups = new Map<string, Group>()
  const groupOf = (app: AppIdentity): Group => {
    const key = JSON.stringify([app.appName, app.packages])
    const group = groups.get(key) ?? { app, tasks: new Set() }
    groups.set(key, group)
    return group
  }
  groupOf(own)
  // Processes of an earlier version do not publish their application.
  for (const { app, tasks } of processes) if (app) for (const task of tasks) groupOf(app).tasks.add(task)
  return groups.values()
}

function reasonOf(a: Group, b: Group): string | null {
  const [first, second] = [a, b].map(group => JSON.stringify(nameOfApp(group.app))).sort()
  const both = `${first} and ${second}`
  if (a.app.appName !== null && b.app.appName !== null) return `the appName of its processes is ${both}`
  const shared = [...a.tasks].filter(task => b.tasks.has(task)).sort()
  if (shared.length === 0) return null
  const others = shared.length === 1 ? '' : ` and ${shared.length - 1} more`
  return `processes of ${both} register the same task ${JSON.stringify(shared[0])}${others}`
}
