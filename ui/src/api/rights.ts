/** The action behind each noun of the API. Health is asked for in any case: its answer tells who is signed out. */
const ACTIONS: Readonly<Record<string, string>> = {
  stats: 'stats:view', timeseries: 'stats:view', tasks: 'tasks:view', executions: 'executions:view', failures: 'executions:view',
  search: 'executions:view', schedules: 'schedules:view', workers: 'workers:view', queues: 'queues:view', bulk: 'bulk:view',
  audit: 'audit:view'
}
/** With what a request names, the host may decide otherwise than in general. */
const NAMING: ReadonlySet<string> = new Set(['schedule_id', 'error_group', 'worker_id', 'search'])

/** What stands where others have an id. */
const LISTS: ReadonlySet<string> = new Set(['agenda', 'preview', 'completions'])

/** By task; under the empty name, what is allowed in general. */
const known = new Map<string, ReadonlySet<string>>()

/** Notes what the session says that the reader may do. */
export function noteActions(actions: readonly string[], taskName = ''): void {
  known.set(taskName, new Set(actions))
}

/**
 * Whether the session says that a read is refused; false if it does not say.
 * @param path below the mount, in encoded segments
 */
export function isRefused(path: string, query: Readonly<Record<string, unknown>> = {}): boolean {
  const [api, noun = '', id, part] = path.replace(/\?.*/, '').split('/')
  const action = ACTIONS[noun]
  const isOfTask = noun === 'tasks' && id !== undefined
  const isItem = part !== undefined || id !== undefined && !isOfTask && !LISTS.has(id)
  if (api !== 'api' || action === undefined || isItem) return false
  if (Object.entries(query).some(([name, value]) => NAMING.has(name) && typeof value === 'string' && value !== '')) return false
  const taskName = isOfTask ? decodeURIComponent(id) : query['task_name'] ?? ''
  return typeof taskName === 'string' && known.get(taskName)?.has(action) === false
}
