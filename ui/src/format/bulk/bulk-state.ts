import type { BulkItem, BulkOperation, BulkPreview } from '../../../../schemas/index.ts'
import { MAX_BULK_ITEMS, MAX_BULK_RATE } from '../../../../schemas/limits.ts'
import type { Mark } from '../executions/status.ts'
import { isWholeNumber } from '../actions/whole-number.ts'
import { withParameters } from '../places/address.ts'
import { formatCount, formatTotal } from '../stats/number.ts'
import { ITEM_ACTIONS } from './bulk-filter.ts'
import { bulkTexts } from '../../texts/bulk.ts'

export type BulkOutcome = BulkItem['outcome']
export type BulkVerb = 'suspend' | 'resume' | 'abort' | 'undo'

export const BULK_OUTCOMES: readonly BulkOutcome[] = ['done', 'skipped', 'failed', 'undone']

const STATE_MARKS: Readonly<Record<BulkOperation['state'], Mark>> = {
  running: 'running', suspended: 'off', aborted: 'cancelled', done: 'success', undoing: 'running', undone: 'cancelled',
  unsupported: 'warning'
}

const OUTCOME_MARKS: Readonly<Record<BulkOutcome, Mark>> = { done: 'success', skipped: 'off', failed: 'failed', undone: 'cancelled' }

interface Marked { readonly mark: Mark; readonly word: string }

export function stateMark(operation: BulkOperation): Marked {
  const { state } = operation
  return { mark: waitsFor(operation) === null ? STATE_MARKS[state] : 'warning', word: bulkTexts.states[state] }
}

export function actionWord({ action }: BulkOperation): string {
  return action === null ? bulkTexts.unknownAction : bulkTexts.actions[action]
}

/** The store that it waits for; null if it waits for something else, or for nothing. */
export function waitsFor({ state, waiting_for: store, finished_at: finishedAt }: BulkOperation): BulkOperation['waiting_for'] {
  return state === 'running' || state === 'undoing' || state === 'aborted' && finishedAt === null ? store : null
}

export function outcomeMark(outcome: BulkOutcome): Marked {
  return { mark: OUTCOME_MARKS[outcome], word: bulkTexts.outcomes[outcome] }
}

export function outcomeFrom(text: string | null): BulkOutcome | null {
  return BULK_OUTCOMES.find(outcome => outcome === text) ?? null
}

/** Whether nothing more happens by itself. After an abort, the current step is completed first. */
export function hasEnded({ state, finished_at: finishedAt }: BulkOperation): boolean {
  return state === 'done' || state === 'undone' || state === 'aborted' && finishedAt !== null
}

/** What the state of an operation and the rights of the reader allow. The server also requires the rights to its items. */
export function verbsFor(operation: BulkOperation, may: (action: string) => boolean): readonly BulkVerb[] {
  const { action } = operation
  if (action === null || !may(ITEM_ACTIONS[action]) || !may('executions:view')) return []
  return verbsNow(operation).filter(verb =>
    may(`bulk:${verb}`) && (verb !== 'undo' || action !== 'resolve' || may('failures:reopen')))
}

function verbsNow(operation: BulkOperation): readonly BulkVerb[] {
  const { state, undoable } = operation
  if (state === 'running') return ['suspend', 'abort']
  if (state === 'suspended') return ['resume', 'abort']
  return undoable && hasEnded(operation) ? ['undo'] : []
}

/** Whether an operation on this count is refused. A lower bound is not refused: the operation then ends after `most` items. */
export function isTooMany({ value, relation }: BulkOperation['count'], most = MAX_BULK_ITEMS): boolean {
  return relation === 'exact' && value > most
}

/**
 * How many of the selected executions the action will not change, because they are gone or have another status; null if unknown. Executions
 * that the reader may not act on are not counted.
 * @param selected null if the filter names none
 */
export function notMatching({ count, executions_left_out: leftOut }: BulkPreview, selected: number | null): number | null {
  return selected === null || count.relation === 'at_least' ? null : Math.max(0, selected - (leftOut ?? 0) - count.value)
}

/**
 * How many tasks have matching executions. The server says how many tasks the filter covers. How many of these have a match is known only
 * if the filter covers one task, if each execution was looked up, or if the sample contains all matches.
 */
export function tasksOfMatches(
  { count, task_count: covered, sample, executions_left_out: leftOut }: BulkPreview
): { readonly count: number; readonly isExact: boolean } {
  if (count.relation === 'at_least') return { count: covered, isExact: covered <= 1 }
  if (sample.length === count.value) return { count: new Set(sample.map(each => each.task_name)).size, isExact: true }
  return leftOut === null ? { count: Math.min(covered, count.value), isExact: covered <= 1 } : { count: covered, isExact: true }
}

/** From 0 to 1; null while the total is not known. Also null for an undo, because not every item can be undone. */
export function shareDone({ state, count, progress }: BulkOperation): number | null {
  if (state === 'done') return 1
  if (state === 'undoing' || state === 'undone') return null
  if (progress === null || count.relation === 'at_least') return null
  return count.value === 0 ? 0 : Math.min(1, progress.items / count.value)
}

/** How far an operation is, in words. */
export function progressWords({ state, progress, count }: BulkOperation): string {
  if (progress === null) return bulkTexts.progressUnknown
  const { items, undone } = progress
  if (state === 'undoing') return bulkTexts.undoneSoFar(formatCount(undone))
  if (state === 'undone') return bulkTexts.undoneOf(formatCount(undone), formatCount(items))
  const isAllUnknown = count.relation === 'at_least' && items >= count.value
  return isAllUnknown ? bulkTexts.itemsSoFar(items) : bulkTexts.doneOf(formatCount(items), formatTotal(count))
}

/** The rate that someone typed; undefined for as fast as possible, null when it is no rate. */
export function rateFrom(text: string): number | null | undefined {
  if (text.trim() === '') return undefined
  return isWholeNumber(text, MAX_BULK_RATE) && Number(text) > 0 ? Number(text) : null
}

export function operationHref(operationId: string): string {
  return `/bulk${withParameters('', { operation: operationId })}`
}
