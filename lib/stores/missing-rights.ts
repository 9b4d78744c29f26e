import { findMissingRights as findMissingGrants } from './postgres/checks/check-rights.ts'
import { describeMissing, findMissingRights } from './redis/checks/check-rights.ts'
import { budgetsOf, SERVER_PATIENCE_MS } from '../time/budgets.ts'
import type { Store, StoreOptions } from './store.ts'

/**
 * The rights that a started store has lost: part of a sentence, null if none. It costs the store some milliseconds, so call it only after a
 * refusal. Rejects if the store does not answer within 1.4 s.
 */
export async function sayMissingRights(store: Store, role: StoreOptions['role']): Promise<string | null> {
  switch (store.kind) {
    case 'redis': {
      const missing = await findMissingRights(store.client, store.keyPrefix, role)
      return missing === null ? null : describeMissing(missing, store.keyPrefix).reason
    }
    case 'postgres': return await findMissingGrants(store.query, { namespace: store.schema, role }, budgetsOf(SERVER_PATIENCE_MS).callMs)
    case 'embedded': return null
  }
}
