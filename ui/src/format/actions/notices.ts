export interface Notice {
  readonly id: number
  /** `doubt`: it is not known whether the action happened. */
  readonly tone: 'good' | 'bad' | 'doubt'
  readonly text: string
}

const MAX_SHOWN = 3

/** Adds a notice. Good news never takes the place of a failure, because it goes away by itself and a failure stays until it is read. */
export function withNotice(notices: readonly Notice[], notice: Notice): Notice[] {
  const isSameKind = ({ tone }: Notice): boolean => (tone === 'good') === (notice.tone === 'good')
  const surplus = notices.filter(isSameKind).slice(0, -(MAX_SHOWN - 1))
  return [...notices.filter(each => !surplus.includes(each)), notice]
}
