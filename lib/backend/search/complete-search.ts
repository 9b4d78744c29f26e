import { EXECUTION_STATUSES, type ExecutionStatus } from '../../../schemas/execution.ts'
import { MAX_SEARCH_LENGTH } from '../../../schemas/limits.ts'
import { parseSearch } from './parse-search.ts'
import { SEARCH_FIELDS, type SearchField } from './search-fields.ts'
import { type SearchTerm, quoteSearchValue, readTerms } from './search-terms.ts'

/** Known values to choose from. */
export interface KnownValues {
  readonly taskNames: readonly string[]
  readonly scheduleIds?: readonly string[]
  readonly workerIds?: readonly string[]
  readonly errorGroups?: readonly string[]
}

export interface SearchCompletions {
  /** What an item replaces: offsets into the search, `to` exclusive. */
  readonly from: number
  readonly to: number
  readonly items: readonly SearchCompletion[]
}

export interface SearchCompletion { readonly text: string; readonly description: string }

export const MAX_COMPLETIONS = 20
/** Maximum candidates to try. An item is offered only if the search parses with it. */
const MAX_TRIED = 40

/** Completions at `position`. After a field and its colon a value must follow; every other item leaves a search that parses. */
export function completeSearch(search: string, position: number, known: KnownValues): SearchCompletions {
  if (search.length > MAX_SEARCH_LENGTH) return { from: position, to: position, items: [] }
  const at = Math.max(0, Math.min(Math.trunc(position) || 0, search.length))
  const typed = termBefore(search.slice(0, at))
  if (typed === undefined) return { from: at, to: at, items: [] }
  const whole = readTerms(search).terms.find(term => term.start === typed?.start)
  const from = typed === null ? at : typed.valueStart
  const isName = typed?.field === null && whole !== undefined && whole.field !== null
  const to = whole === undefined || from === at ? at : isName ? whole.valueStart : whole.end
  const candidates = typed === null || typed.field === null
    ? startsOfTerm(typed, isName ? [] : known.taskNames)
    : valuesOf(typed.field, typed.value, known)
  const items = candidates.slice(0, MAX_TRIED).filter(({ text }) => parsesWith(search.slice(0, from), text, search.slice(to)))
  return { from, to, items: items.slice(0, MAX_COMPLETIONS) }
}

/** The last term of the text; null between terms, undefined where nothing can be completed. */
function termBefore(head: string): SearchTerm | null | undefined {
  let { terms, fault } = readTerms(head)
  if (fault) ({ terms, fault } = readTerms(`${head}"`))
  if (fault) return undefined
  const last = terms.at(-1)
  if (last === undefined || last.end < head.length) return null
  if (last.isQuoted && (last.field === null || last.end === head.length)) return undefined
  return last
}

function startsOfTerm(typed: SearchTerm | null, taskNames: readonly string[]): SearchCompletion[] {
  const prefix = typed?.value ?? ''
  const fields = Object.entries(SEARCH_FIELDS).filter(([field]) => field.startsWith(prefix.toLowerCase()))
  const tasks = prefix === '' ? [] : startingWith(taskNames, prefix)
  return [
    ...fields.map(([field, description]) => ({ text: `${field}:`, description })),
    ...tasks.map(name => ({ text: `task:${quoteSearchValue(name)}`, description: 'task' }))
  ]
}

function valuesOf(field: SearchField, prefix: string, known: KnownValues): SearchCompletion[] {
  const chosenFrom = (values: readonly string[] | undefined, description: string) =>
    startingWith(values ?? [], prefix).map(value => ({ text: quoteSearchValue(value), description }))
  switch (field) {
    case 'status':
      return startingWith(EXECUTION_STATUSES, prefix).map(status => ({ text: status, description: STATUSES[status as ExecutionStatus] }))
    case 'task': return chosenFrom(known.taskNames, 'task')
    case 'schedule': return chosenFrom(known.scheduleIds, 'schedule')
    case 'worker': return chosenFrom(known.workerIds, 'worker')
    case 'group': return chosenFrom(known.errorGroups, 'failure group')
    case 'took': return comparisons(prefix)
    case 'since':
      return durations(prefix, SPANS, ['m', 'h', 'd', 'w']).map(({ text, words }) => ({
        text, description: `finished in the last ${words}`
      }))
    case 'until':
      return durations(prefix, SPANS, ['m', 'h', 'd', 'w']).map(({ text, words }) => ({
        text, description: `finished more than ${words} ago`
      }))
    default: return []
  }
}

const STATUSES: Readonly<Record<ExecutionStatus, string>> = {
  pending: 'waiting to run', running: 'running now', success: 'succeeded', failed: 'failed with no attempts left',
  cancelled: 'was cancelled'
}
const SPANS = ['15m', '1h', '6h', '24h', '7d', '30d']
const LENGTHS = ['100ms', '1s', '5s', '30s', '1m', '5m']
const UNITS = { ms: 'milliseconds', s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks' } as const
const OPERATORS = { '>': 'longer than', '>=': 'at least', '<': 'less than', '<=': 'at most' } as const

function comparisons(prefix: string): SearchCompletion[] {
  const [, operator = '', length = ''] = /^([<>]=?)?(.*)$/s.exec(prefix) ?? []
  const operators = Object.entries(OPERATORS).filter(([each]) => operator === '' ? each === '>' || each === '<' : each === operator)
  return operators.flatMap(([each, words]) =>
    durations(length, LENGTHS, ['ms', 's', 'm', 'h']).map(
      duration => ({ text: each + duration.text, description: `ran ${words} ${duration.words}` }
      )))
}

/** Common durations that start with the typed text; for a bare number, every unit. */
function durations(
  typed: string, usual: readonly string[], units: ReadonlyArray<keyof typeof UNITS>
): Array<{ text: string; words: string }> {
  const isNumber = /^\d+(\.\d+)?$/.test(typed)
  const texts = new Set([...isNumber ? units.map(unit => typed + unit) : [], ...startingWith(usual, typed)])
  return Array.from(texts, text => {
    const number = Number.parseFloat(text)
    const unit = UNITS[text.replace(/^[\d.]+/, '') as keyof typeof UNITS]
    return { text, words: `${number} ${number === 1 ? unit.slice(0, -1) : unit}` }
  })
}

function startingWith(values: readonly string[], prefix: string): string[] {
  const start = prefix.toLowerCase()
  return values.filter(value => value.toLowerCase().startsWith(start))
}

const SAMPLE_VALUES: Partial<Record<string, string>> = { 'status:': 'failed', 'took:': '>1s', 'since:': '1h', 'until:': '1h' }

/** Whether the search parses with it; a field gets a sample value first. */
function parsesWith(before: string, text: string, after: string): boolean {
  return parses(before + text + after) || (text.endsWith(':') && parses(before + text + (SAMPLE_VALUES[text] ?? 'x') + after))
}

function parses(search: string): boolean {
  try {
    parseSearch(search, 0)
    return true
  } catch {
    return false
  }
}
