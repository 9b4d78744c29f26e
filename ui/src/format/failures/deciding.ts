import type { FailureGroup } from '../../../../schemas/index.ts'

export type Verb = 'resolve' | 'reopen'

/** The actions for a group, the likeliest first. A regressed one can be resolved again, or opened. */
export function verbsFor({ state, decidable }: Pick<FailureGroup, 'state' | 'decidable'>): readonly Verb[] {
  if (!decidable) return []
  if (state === 'open') return ['resolve']
  return state === 'resolved' ? ['reopen'] : ['resolve', 'reopen']
}

/** The note to send; undefined if there is none. */
export function noteFrom(text: string): string | undefined {
  return text.trim() || undefined
}
