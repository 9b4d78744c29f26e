import { createTaskDashboardError } from '../../errors.ts'
import { MINUTE_MS } from '../../time/units.ts'

interface MissingTasksDependencies {
  /** Every task that is known, also of processes that are gone. */
  taskNames(): Promise<readonly string[]>
  /** Tasks that a process can run, or could some minutes ago. */
  registeredTasks(): Promise<ReadonlySet<string>>
  /** Tasks that a process declares: it expects another to run them. */
  declaredTasks(): Promise<ReadonlySet<string>>
  onError(error: Error): void
  /** Milliseconds, of a clock that is never set. Default: since the process started. */
  readonly now?: (() => number) | undefined
}

/**
 * What a name that nobody has ever heard of is given: in a deployment a process with its task may start a little later. Most often it
 * is misspelt.
 */
const UNKNOWN_GRACE_MS = MINUTE_MS
/** A task that was there within the last week. Its processes publish it once a minute; a machine that slept has them all behind. */
const ABSENT_GRACE_MS = 2 * MINUTE_MS
/** After everything was down the process with the task may be the last to come back. */
const START_GRACE_MS = 5 * MINUTE_MS
const NAMES_SHOWN = 5

export type MissingTasks = ReturnType<typeof createMissingTasks>

/** Looks for enabled schedules of tasks that no process registers, and says so once a task. One that is declared is waited for. */
export function createMissingTasks(
  { taskNames, registeredTasks, declaredTasks, onError, now = () => performance.now() }: MissingTasksDependencies
) {
  const createdAt = now()
  const missingSince = new Map<string, number>()
  const told = new Set<string>()
  let schedules = 0

  return {
    /** How many schedules are for such tasks, as last looked for. */
    get schedules() {
      return schedules
    },

    /** @param enabledByTask how many enabled schedules each task has */
    async look(enabledByTask: ReadonlyMap<string, number>): Promise<void> {
      const [registered, declared, known] = await Promise.all([registeredTasks(), declaredTasks(), taskNames()])
      const isMissing = (name: string) => enabledByTask.has(name) && !registered.has(name) && !declared.has(name)
      for (const name of [...missingSince.keys()]) if (!isMissing(name)) forget(name)
      const at = now()
      for (const name of enabledByTask.keys()) if (isMissing(name) && !missingSince.has(name)) missingSince.set(name, at)

      const everKnown = new Set(missingSince.size === 0 ? [] : known)
      const missing = [...missingSince].filter(([name, since]) => at >= graceEnd(since, everKnown.has(name))).map(([name]) => name)
      schedules = missing.reduce((total, name) => total + enabledByTask.get(name)!, 0)
      const untold = missing.filter(name => !told.has(name))
      for (const name of untold) told.add(name)
      if (untold.length > 0) onError(createTaskDashboardError('SCHEDULE_WITHOUT_TASK', [sayNames(untold)]))
    }
  }

  function graceEnd(since: number, isKnown: boolean): number {
    return isKnown ? Math.max(since + ABSENT_GRACE_MS, createdAt + START_GRACE_MS) : since + UNKNOWN_GRACE_MS
  }

  /** When it goes missing once more it is told once more. */
  function forget(name: string): void {
    missingSince.delete(name)
    told.delete(name)
  }
}

function sayNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map(name => `"${name}"`).join(', ')
  const more = names.length - NAMES_SHOWN
  return `${names.length === 1 ? 'the task' : 'the tasks'} ${shown}${more > 0 ? ` and ${more} more` : ''}`
}
