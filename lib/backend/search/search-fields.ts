/** The fields of the search language, with the descriptions shown in completions. `docs/search.md` has the full reference. */
export const SEARCH_FIELDS = {
  status: 'pending, running, success, failed or cancelled',
  task: 'name of the task',
  error: 'words of the error\'s type and message',
  args: 'words of the arguments, or args.key:value',
  took: 'how long it ran: >5s, <=250ms',
  since: 'finished since: 24h, 2026-11-20, 2026-11-20T09:00Z',
  until: 'finished before: 1h, 2026-11-20, 2026-11-20T09:00Z',
  schedule: 'id of the schedule that enqueued it',
  worker: 'id of the worker that ran it',
  group: 'failure group',
  id: 'id of the execution'
} as const

export type SearchField = keyof typeof SEARCH_FIELDS

export function isSearchField(name: string | undefined): name is SearchField {
  return name !== undefined && Object.hasOwn(SEARCH_FIELDS, name)
}

/** Other names for the fields, from API parameters and other dashboards. */
const OTHER_NAMES: Readonly<Record<string, SearchField>> = {
  task_name: 'task', state: 'status', schedule_id: 'schedule', worker_id: 'worker', error_group: 'group', execution_id: 'id',
  duration: 'took', duration_ms: 'took',
  queue: 'task', err: 'error', message: 'error', exception: 'error', after: 'since', from: 'since', last: 'since', before: 'until',
  to: 'until'
}

/** The field that an unknown word probably means: a synonym, or a field that is one typo away. */
export function fieldMeantBy(name: string): SearchField | null {
  const word = name.toLowerCase()
  if (Object.hasOwn(OTHER_NAMES, word)) return OTHER_NAMES[word]!
  const fields = Object.keys(SEARCH_FIELDS) as SearchField[]
  return fields.find(field => field.length > 2 && isOneSlipAway(word, field)) ?? null
}

/** One character too many, too few or wrong, or two swapped. */
function isOneSlipAway(word: string, field: string): boolean {
  let same = 0
  while (same < word.length && word[same] === field[same]) same++
  const [restOfWord, restOfField] = [word.slice(same), field.slice(same)]
  return restOfWord.slice(1) === restOfField || restOfWord === restOfField.slice(1) || restOfWord.slice(1) === restOfField.slice(1) ||
    (restOfWord.slice(2) === restOfField.slice(2) && restOfWord[0] === restOfField[1] && restOfWord[1] === restOfField[0])
}

/** Properties of an execution that cannot be searched. */
const NOT_SEARCHED: ReadonlySet<string> = new Set([
  'attempt', 'attempts', 'log', 'logs', 'priority', 'progress', 'result', 'retry', 'retry_of', 'stack', 'wait', 'wait_ms'
])

export function isNotSearched(name: string): boolean {
  return NOT_SEARCHED.has(name.toLowerCase())
}
