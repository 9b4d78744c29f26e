import type { FailureGroup } from '../../../../schemas/index.ts'

export type Verb = 'resolve' | 'reopen'

/** The actions for a group, the most likely first. A regressed group can be resolved again, or reopened. */
export function verbsFor({ state, decidable }: Pick<FailureGroup, 'state' | 'decidable'>): readonly Verb[] {
  if (!decidable) return []
  if (state === 'open') return ['resolve']
  return state === 'resolved' ? ['reopen'] : ['resolve', 'reopen']
}

/** The note to send; undefined if there is none. */
export function noteFrom(text: string): string | undefined {
  return text.trim() || undefined
}
