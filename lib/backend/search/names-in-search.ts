import { MAX_SEARCH_LENGTH } from '../../../schemas/limits.ts'
import { MAX_SEARCH_TERMS } from './parse-search.ts'
import { readTerms } from './search-terms.ts'

/** The tasks, schedules and executions that a search names, without duplicates. */
export interface SearchNames {
  readonly taskNames: readonly string[]
  readonly scheduleIds: readonly string[]
  readonly executionIds: readonly string[]
}

const NONE: SearchNames = { taskNames: [], scheduleIds: [], executionIds: [] }

/**
 * Every name in a search, including names in terms that contradict each other. Reads terms as `parseSearch` does. The language has no
 * negation, wildcard or OR, so every name is one that the search asks for. Never throws. Past an error or a limit it reports nothing,
 * because `parseSearch` rejects the whole search.
 */
export function namesInSearch(search: string): SearchNames {
  if (search.length > MAX_SEARCH_LENGTH) return NONE
  const terms = readTerms(search).terms.slice(0, MAX_SEARCH_TERMS)
  const valuesOf = (field: string): string[] => [...new Set(terms.filter(term => term.field === field).map(({ value }) => value))]
  return { taskNames: valuesOf('task'), scheduleIds: valuesOf('schedule'), executionIds: valuesOf('id') }
}
