import { unreadAfterChange } from '../../../stores/failures/unavailable.ts'
import type { SqlStore } from '../../../stores/store.ts'
import type { FailureGroup, NewFailureDecision } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'
import { readFailureGroups } from './failure-groups.ts'
import { OF_STATE, OWN_COUNT } from './scan-groups.ts'

/** One statement locks one row, so it cannot deadlock with recorders. It also resolves a failure that was recorded just before. */
export async function decideFailureGroup(
  store: SqlStore, tables: LedgerTables, errorGroup: string, decision: NewFailureDecision
): Promise<FailureGroup | null> {
  const { isResolved, by, note, ifSeenBefore, ifDecidedAt, ifCount, isAutomatic = false, operationId = null } = decision
  const { add, values } = createParameters()
  const now = `${add(await store.now())}::bigint`
  const text = (value: string | null): string => `${add(value === null ? null : toStorable(value))}::text`
  const before = ifSeenBefore === undefined ? null : `${add(ifSeenBefore)}::bigint`
  const conditions = [`error_group = ${text(errorGroup)}`]
  if (before !== null) conditions.push(`last_seen_at < ${before}`)
  if (ifCount !== undefined) conditions.push(`groups.count = ${add(ifCount)}::bigint`)
  if (ifDecidedAt !== undefined) conditions.push(`decided_at IS NOT DISTINCT FROM ${add(ifDecidedAt)}::bigint`)
  const decidedAt = `greatest(${now}, decided_at + 1)`
  const changes = [
    `decided_at = ${decidedAt}`, `decided_by = ${text(by)}`, `operation_id = ${text(operationId)}`, `operation_at = ${decidedAt}`
  ]
  if (isAutomatic) {
    changes.push('resolved_through = last_seen_at', 'resolved_count = groups.count', `counted_at = ${decidedAt}`)
    conditions.push(OF_STATE.open)
  } else {
    const newNote = text(note)
    changes.push(`note = ${newNote}`, 'resolved_count = NULL', 'counted_at = NULL')
    changes.push(`resolved_through = ${isResolved ? throughOf(before === null ? now : `least(${now}, ${before})`) : 'NULL'}`)
    const isOther = `(note <> ${newNote} OR note IS NULL AND ${newNote} IS NOT NULL)`
    conditions.push(`(${isResolved ? OF_STATE.open : 'resolved_through IS NOT NULL'} OR ${isOther})`)
  }
  await store.query(`UPDATE ${tables.failureGroups} AS groups SET ${changes.join(', ')} WHERE ${conditions.join(' AND ')}`, values)
  const { groups: [group] } = await readFailureGroups(store, tables, { errorGroup, limit: 1 }).catch(unreadAfterChange)
  return group ?? null
}

/**
 * The time up to which failures become resolved. A failure of the current millisecond that is not recorded yet must not be hidden, so it
 * counts as later. A recorded failure may have finished in the future if its worker's clock is wrong. A new note alone does not move the
 * time, unless the group was resolved automatically: the decision is then a person's.
 */
function throughOf(time: string): string {
  return `CASE WHEN ${OF_STATE.open} OR ${OWN_COUNT} IS NOT NULL THEN greatest(${time} - 1, last_seen_at) ELSE resolved_through END`
}
