import { EXECUTION_STATUSES, type ExecutionStatus } from '../../../schemas/execution.ts'
import { MAX_SEARCH_LENGTH } from '../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { cutText } from '../entry/limits.ts'
import { slipOf } from './search-slips.ts'
import { type SearchFault, type SearchTerm, readTerms } from './search-terms.ts'
import { durationMsFrom, instantMsFrom, nextAbove } from './search-times.ts'
import { SEARCHED } from './searchable.ts'
import type { TextCondition } from './text-condition.ts'
import { wordsOf } from './words.ts'

export const MAX_SEARCH_TERMS = 20

/** The conditions in a search. All of them must hold. Names and ids match exactly. */
export interface SearchFilters {
  readonly status?: ExecutionStatus
  readonly taskName?: string
  readonly scheduleId?: string
  readonly workerId?: string
  readonly errorGroup?: string
  readonly executionId?: string
  /** Milliseconds since the epoch; inclusive, exclusive. */
  readonly from?: number
  readonly to?: number
  /** Milliseconds; inclusive, exclusive. */
  readonly minDurationMs?: number
  readonly maxDurationMs?: number
  readonly text: readonly TextCondition[]
  /** Two terms contradict each other, so nothing can match. */
  readonly isContradictory: boolean
}

/**
 * Parses a search as described in `docs/search.md`.
 * @param nowMs the time that `since:24h` counts back from
 * @throws INVALID_SEARCH with the first error; `position` is its offset in UTF-16 code units, from 0
 */
export function parseSearch(search: string, nowMs: number): SearchFilters {
  if (search.length > MAX_SEARCH_LENGTH)
    throw invalid({ position: MAX_SEARCH_LENGTH, message: `a search has at most ${MAX_SEARCH_LENGTH} characters` })
  const { terms, fault } = readTerms(search)
  const filters: Draft = { text: [], isContradictory: false }
  for (const [index, term] of terms.entries()) {
    if (index === MAX_SEARCH_TERMS) throw invalid({ position: term.start, message: `a search has at most ${MAX_SEARCH_TERMS} terms` })
    const problem = slipOf(terms, index, isTerm) ?? addTerm(filters, term, nowMs)
    if (problem) throw invalid(problem)
  }
  if (fault) throw invalid(fault)
  // Punctuation-only terms are ignored beside other terms, as in pasted text. On their own they would match everything.
  if (terms.length > 0 && Object.keys(filters).length === 2 && filters.text.length === 0)
    throw invalid({ position: terms[0]!.start, message: NOTHING_TO_FIND })
  const { from, to, minDurationMs, maxDurationMs } = filters
  const isContradictory = filters.isContradictory || (from !== undefined && to !== undefined && from >= to) ||
    (maxDurationMs !== undefined && (minDurationMs ?? 0) >= maxDurationMs)
  return { ...filters, isContradictory }
}

type Draft = { -readonly [Name in keyof SearchFilters]: SearchFilters[Name] } & { text: TextCondition[] }
type ExactFilter = 'taskName' | 'scheduleId' | 'workerId' | 'errorGroup' | 'executionId'

const EXACT = {
  task: 'taskName', schedule: 'scheduleId', worker: 'workerId', group: 'errorGroup', id: 'executionId'
} as const satisfies Record<string, ExactFilter>
const NOTHING_TO_FIND = 'it has no letter or digit to search for'
const COMPARISON = /^(>=|<=|>|<)(.*)$/s

/** @returns what is wrong with the term, or null */
function addTerm(filters: Draft, term: SearchTerm, nowMs: number): SearchFault | null {
  const { field, value, valueStart } = term
  const wrong = (message: string): SearchFault => ({ position: valueStart, message })
  if (field !== null && value === '' && !(term.isQuoted && term.path.length > 0)) {
    return wrong(`${field}: needs a value, without a space after the colon; quote the text to search for it literally`)
  }
  switch (field) {
    case null: return addText(filters, term)
    case 'status': {
      const status = EXECUTION_STATUSES.find(each => each === value.toLowerCase())
      if (status === undefined) return wrong(`${shown(value)} is not a status: use ${EXECUTION_STATUSES.join(', ')}`)
      narrow(filters, 'status', status)
      return null
    }
    case 'took': {
      const [, operator, duration = ''] = COMPARISON.exec(value) ?? []
      const ms = durationMsFrom(duration)
      if (operator === undefined || ms === null || !/(ms|s|m|h)$/i.test(duration))
        return wrong(`${shown(value)} is not a duration comparison: write >5s, >=250ms, <1.5m or <=1h`)
      const bound = operator === '>' || operator === '<=' ? nextAbove(ms) : ms
      if (operator.startsWith('>')) filters.minDurationMs = Math.max(filters.minDurationMs ?? 0, bound)
      else filters.maxDurationMs = Math.min(filters.maxDurationMs ?? Infinity, bound)
      return null
    }
    case 'since': case 'until': {
      const at = /ms$/i.test(value) ? null : instantMsFrom(value, nowMs)
      if (at === null)
        return wrong(
          `${shown(value)} is not a time: write a duration back from now (15m, 24h, 7d), a date (2026-11-20), or an instant with Z or ` +
            'an offset (2026-11-20T09:00Z)'
        )
      if (field === 'since') filters.from = Math.max(filters.from ?? 0, at)
      else filters.to = Math.min(filters.to ?? Infinity, at)
      return null
    }
    case 'args':
      if (term.path.length === 0) return addWords(filters, term, 'args')
      if (term.path.length > SEARCHED.pathDepth)
        return { position: term.start, message: `arguments are searched to a depth of ${SEARCHED.pathDepth} keys` }
      filters.text.push({ in: 'path', path: term.path, value })
      return null
    case 'error': return addWords(filters, term, 'error')
    default:
      narrow(filters, EXACT[field], value)
      return null
  }
}

/** Whether text is a valid single term. */
function isTerm(text: string): boolean {
  const { terms: [term, ...others], fault } = readTerms(text)
  return term !== undefined && others.length === 0 && fault === null && addTerm({ text: [], isContradictory: false }, term, 0) === null
}

function narrow<Name extends ExactFilter | 'status'>(filters: Draft, name: Name, value: NonNullable<Draft[Name]>): void {
  if (filters[name] !== undefined && filters[name] !== value) filters.isContradictory = true
  else (filters as Record<Name, typeof value>)[name] = value
}

function addText(filters: Draft, term: SearchTerm): SearchFault | null {
  const words = wordsOf(term.value, MAX_SEARCH_LENGTH)
  if (words.length > 0) filters.text.push({ in: 'any', words })
  return null
}

function addWords(filters: Draft, { value, valueStart }: SearchTerm, where: 'error' | 'args'): SearchFault | null {
  const words = wordsOf(value, MAX_SEARCH_LENGTH)
  if (words.length === 0) return { position: valueStart, message: NOTHING_TO_FIND }
  filters.text.push({ in: where, words })
  return null
}

function invalid({ position, message }: SearchFault) {
  const located = `character ${position + 1}: ${message}`
  return createTaskDashboardError('INVALID_SEARCH', [located], { errors: [{ pointer: 'search', message: located, position }] })
}

function shown(value: string): string {
  return JSON.stringify(value.length > 40 ? `${cutText(value, 40)}…` : value)
}
