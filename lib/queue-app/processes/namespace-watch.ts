import { createTaskDashboardError } from '../../errors.ts'
import { isSameApp, nameOfApp, type AppIdentity } from './app-identity.ts'
import type { PublishedProcess } from './process-heartbeats.ts'
import { MINUTE_MS } from '../../time/units.ts'

export interface NamespaceWatchDependencies {
  readonly namespace: string
  /** Of this process, which may run no tasks and so be in no list. */
  readonly app: AppIdentity
  processes(): Promise<readonly PublishedProcess[]>
  onError(error: Error): void
}

export interface NamespaceWatch {
  /** Looks now and once a minute, and tells `onError` once of each two applications. */
  start(): void
  stop(): void
  /** For health, without names: who sees it may not be allowed to see more. */
  problem(processes: readonly PublishedProcess[]): string | null
}

interface Clash { readonly a: AppIdentity; readonly b: AppIdentity; readonly reason: string }
interface Group { readonly app: AppIdentity; readonly tasks: Set<string> }

const LOOK_EVERY_MS = MINUTE_MS

/**
 * Finds out that two applications share a namespace: each runs what the other enqueues. They are two when their `appName` differs, or,
 * where one has none, when they were started from different packages and register the same tasks. Processes with tasks of their own may be
 * roles of one application, and nothing is said of them.
 */
export function createNamespaceWatch({ namespace, app, processes, onError }: NamespaceWatchDependencies): NamespaceWatch {
  const told = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const clash = findClash(await processes(), app)
    if (clash === null || told.has(clash.reason)) return
    told.add(clash.reason)
    onError(createTaskDashboardError('NAMESPACE_SHARED', [namespace, clash.reason]))
  }

  // A broker that is away is told of elsewhere.
  const lookQuietly = (): void => { look().catch(() => {}) }
  return {
    start() {
      lookQuietly()
      timer = setInterval(lookQuietly, LOOK_EVERY_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
    problem: list => findClash(list, app) === null
      ? null
      : 'two applications share the namespace: give each its own, or both the same appName if they are one'
  }
}

/** The first two groups of processes that are no one application; null when there are none. */
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
  // Processes of an earlier version do not say where they belong.
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
