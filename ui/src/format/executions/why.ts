import type { ExecutionWhy, WhyFact } from '../../../../schemas/index.ts'

const TROUBLES: ReadonlySet<WhyFact['kind']> = new Set([
  'no_worker', 'workers_unavailable', 'worker_lost', 'stalled', 'broker_unavailable', 'backend_unavailable'
])
const FINE: ReadonlySet<WhyFact['kind']> = new Set(['running', 'finished'])

/** Whether somebody has to do something. */
export function isTrouble({ kind }: WhyFact): boolean {
  return TROUBLES.has(kind)
}

/** What to tell a reader; of a running execution only that it does not. It may have started or finished since the panel was read. */
export function factsToTell({ facts }: ExecutionWhy, status: string): readonly WhyFact[] {
  const [first] = facts
  if (first === undefined || FINE.has(first.kind)) return []
  const isLost = first.kind === 'worker_lost' || first.kind === 'stalled'
  return status === 'pending' || isLost ? facts.filter(({ kind }) => !FINE.has(kind)) : []
}
