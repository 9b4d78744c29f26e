import { firstOf } from '../../collections/first-of.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { MINUTE_MS } from '../../time/units.ts'

interface MissingTasksDependencies {
  /** Every known task, including those of processes that are gone. */
  taskNames(): Promise<readonly string[]>
  /** Tasks that a process can run, or could a few minutes ago. */
  registeredTasks(): Promise<ReadonlySet<string>>
  /** Tasks that a process declares and expects another one to run. */
  declaredTasks(): Promise<ReadonlySet<string>>
  onError(error: Error): void
  /** A monotonic clock in milliseconds. Default: time since the process started. */
  readonly now?: (() => number) | undefined
}

/**
 * Grace period for a task name that has never been seen. In a deployment, the process with the task may start a little later. Most often
 * the name is misspelled.
 */
const UNKNOWN_GRACE_MS = MINUTE_MS
/**
 * Grace period for a task that was registered within the last week. Its processes publish it once a minute. After a machine slept, all of
 * them are behind.
 */
const ABSENT_GRACE_MS = 2 * MINUTE_MS
/** After a complete outage, the process with the task may be the last to return. */
const START_GRACE_MS = 5 * MINUTE_MS
const MAX_NAMES_SHOWN = 5

export type MissingTasks = ReturnType<typeof createMissingTasks>

/** Finds enabled schedules of tasks that no process registers, and reports each task once. A declared task is not reported. */
export function createMissingTasks(
  { taskNames, registeredTasks, declaredTasks, onError, now = () => performance.now() }: MissingTasksDependencies
) {
  const createdAt = now()
  const missingSince = new Map<string, number>()
  const reported = new Set<string>()
  let schedules = 0

  return {
    /** How many schedules have such tasks, at the last check. */
    get schedules() {
      return schedules
    },

    /** @param enabledByTask number of enabled schedules per task */
    async look(enabledByTask: ReadonlyMap<string, number>): Promise<void> {
      const [registered, declared, known] = await Promise.all([registeredTasks(), declaredTasks(), taskNames()])
      const isMissing = (name: string) => enabledByTask.has(name) && !registered.has(name) && !declared.has(name)
      for (const name of [...missingSince.keys()]) if (!isMissing(name)) forget(name)
      const at = now()
      for (const name of enabledByTask.keys()) if (isMissing(name) && !missingSince.has(name)) missingSince.set(name, at)

      const everKnown = new Set(missingSince.size === 0 ? [] : known)
      const missing = [...missingSince].filter(([name, since]) => at >= graceEnd(since, everKnown.has(name))).map(([name]) => name)
      schedules = missing.reduce((total, name) => total + enabledByTask.get(name)!, 0)
      const unreported = missing.filter(name => !reported.has(name))
      for (const name of unreported) reported.add(name)
      if (unreported.length > 0) onError(createTaskDashboardError('SCHEDULE_WITHOUT_TASK', [namesText(unreported)]))
    }
  }

  function graceEnd(since: number, isKnown: boolean): number {
    return isKnown ? Math.max(since + ABSENT_GRACE_MS, createdAt + START_GRACE_MS) : since + UNKNOWN_GRACE_MS
  }

  /** If the task goes missing again, it is reported again. */
  function forget(name: string): void {
    missingSince.delete(name)
    reported.delete(name)
  }
}

function namesText(names: readonly string[]): string {
  return `${names.length === 1 ? 'the task' : 'the tasks'} ${firstOf(names.map(name => `"${name}"`), MAX_NAMES_SHOWN)}`
}
