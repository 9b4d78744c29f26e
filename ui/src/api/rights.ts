/** The action behind each noun of the API. Health is always requested, because its response shows whether the reader is signed out. */
const ACTIONS: Readonly<Record<string, string>> = {
  stats: 'stats:view', timeseries: 'stats:view', tasks: 'tasks:view', executions: 'executions:view', failures: 'executions:view',
  search: 'executions:view', schedules: 'schedules:view', workers: 'workers:view', queues: 'queues:view', bulk: 'bulk:view',
  audit: 'audit:view'
}
/** Parameters that name an object. For that object, the host may decide differently than in general. */
const NAMING: ReadonlySet<string> = new Set(['schedule_id', 'error_group', 'worker_id', 'search'])

/** Path segments that are no id, but stand in the place of one. */
const LISTS: ReadonlySet<string> = new Set(['agenda', 'preview', 'completions'])

/** The allowed actions by task. The empty name has those that are allowed in general. */
const known = new Map<string, ReadonlySet<string>>()

/** Stores the actions that the session allows the reader. */
export function noteActions(actions: readonly string[], taskName = ''): void {
  known.set(taskName, new Set(actions))
}

/**
 * Whether a read will be refused according to the session; false if the session does not say.
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
