import { unreadAfterChange } from '../../../stores/failures/unavailable.ts'
import type { SqlStore } from '../../../stores/store.ts'
import type { FailureGroup, NewFailureDecision } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { LedgerTables } from '../schema.ts'
import { readFailureGroups } from './failure-groups.ts'
import { OF_STATE } from './scan-groups.ts'

/** One statement locks one row, so it cannot deadlock with recorders. A failure recorded just before is among those it resolves. */
export async function decideFailureGroup(
  store: SqlStore, tables: LedgerTables, errorGroup: string, { isResolved, by, note, ifSeenBefore }: NewFailureDecision
): Promise<FailureGroup | null> {
  await store.query(
    `UPDATE ${tables.failureGroups} SET ${isResolved ? RESOLVE : REOPEN},
       decided_at = $2::bigint, decided_by = $3::text, note = $4::text
     WHERE error_group = $1::text AND (${isResolved ? OF_STATE.open : 'resolved_through IS NOT NULL'} OR note <> $4::text
       OR note IS NULL AND $4::text IS NOT NULL) AND ($5::bigint IS NULL OR last_seen_at < $5::bigint)`,
    [
      toStorable(errorGroup), await store.now(), by === null ? null : toStorable(by), note === null ? null : toStorable(note),
      ifSeenBefore ?? null
    ]
  )
  const { groups: [group] } = await readFailureGroups(store, tables, { errorGroup, limit: 1 }).catch(unreadAfterChange)
  return group ?? null
}

/**
 * A failure of this very millisecond that is not recorded yet counts as later, because it must not be hidden. A recorded one may have
 * finished in the future, by the wrong clock of its worker.
 */
const RESOLVE = `resolved_through = CASE WHEN ${OF_STATE.open}
  THEN greatest(least($2::bigint, $5::bigint) - 1, last_seen_at) ELSE resolved_through END`
const REOPEN = 'resolved_through = NULL'
