import type { FailureGroup } from '../../../../schemas/index.ts'

export type Verb = 'resolve' | 'reopen'

/** What can be done with a group, the likely one first. A regressed one is resolved again, or opened. */
export function verbsFor({ state }: Pick<FailureGroup, 'state'>): readonly Verb[] {
  if (state === 'open') return ['resolve']
  return state === 'resolved' ? ['reopen'] : ['resolve', 'reopen']
}

/** The note to send; undefined if there is none. */
export function noteFrom(text: string): string | undefined {
  return text.trim() || undefined
}
