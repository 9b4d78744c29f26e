import type { ExecutionWhy, WhyFact } from '../../../../schemas/index.ts'

const TROUBLES: ReadonlySet<WhyFact['kind']> = new Set([
  'no_worker', 'workers_unavailable', 'worker_lost', 'stalled', 'broker_unavailable', 'backend_unavailable'
])
const FINE: ReadonlySet<WhyFact['kind']> = new Set(['running', 'finished'])

/** Whether someone has to do something. */
export function isTrouble({ kind }: WhyFact): boolean {
  return TROUBLES.has(kind)
}

/**
 * The facts to show. If the execution is not pending, only facts about a lost or stalled run. If it runs or has finished, none: that may
 * have happened since the panel was loaded.
 */
export function factsToTell({ facts }: ExecutionWhy, status: string): readonly WhyFact[] {
  const [first] = facts
  if (first === undefined || FINE.has(first.kind)) return []
  const isLost = first.kind === 'worker_lost' || first.kind === 'stalled'
  return status === 'pending' || isLost ? facts.filter(({ kind }) => !FINE.has(kind)) : []
}
