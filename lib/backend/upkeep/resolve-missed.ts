import type { FailureGroupPosition } from '../result-backend.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { MINUTE_MS } from '../../time/units.ts'
import { createLeasedLoop, renewing, type Turn, type Upkeep, type UpkeepOptions } from './leased-loop.ts'
import type { GroupsBackend, RetriedGroups } from './retried-groups.ts'

export interface ResolveMissedOptions extends UpkeepOptions {
  readonly backend: Pick<GroupsBackend, 'failureGroups'>
  readonly groups: RetriedGroups
  /** Stores the position of the last pass, so that any process can continue there. */
  readonly documents: Pick<DocumentStore, 'get' | 'put'>
}

/**
 * Checks the open failure groups in turn, some in each pass. It finds groups that nothing checked after their last retry, because the
 * process that recorded it died or a failure was recorded late. Groups that someone reopened stay open, because the history does not show
 * which of their retries came later. A pass returns how many groups it checked. The first starts after `everyMs`.
 */
export type ResolveMissed = Omit<Upkeep, 'problem'>

/** One lookup each, unless there is something to resolve. */
const GROUPS_PER_PASS = 200
const POSITIONS = 'upkeep'
const POSITION = 'resolve-missed'

interface Position { readonly after: FailureGroupPosition | null }

export function createResolveMissed(
  { backend, groups, documents, leases, holder, everyMs = MINUTE_MS, onError }: ResolveMissedOptions
): ResolveMissed {
  const { start, stop, runOnce } = createLeasedLoop({
    lease: 'result-backend:resolve-missed', leases, holder, everyMs, startsAtOnce: false, pass, onError
  })
  return { start, stop, runOnce }

  async function pass(turn: Turn): Promise<number | null> {
    if (!await turn.holdLease()) return null
    const after = (await documents.get<Position>(POSITIONS, POSITION))?.value.after ?? null
    const page = await backend.failureGroups({ state: 'open', limit: GROUPS_PER_PASS, ...after !== null && { after } })
    const isHeld = renewing(turn.holdLease)
    // Save the position first: whatever happens to these groups, the next pass continues with others.
    if (page.next !== after) await documents.put<Position>(POSITIONS, POSITION, { after: page.next })
    const open = page.groups.filter(({ decision }) => decision === null || decision.isResolved)
    const failure = await groups.lookAt(open, { goesOn: async () => !turn.signal.aborted && await isHeld() })
    if (failure !== null) throw failure
    return open.length
  }
}
