/** Some jobs of a round trip were added. Others were not, or their outcome is unknown. */
export class PartlyAddedError extends Error {
  override readonly name = 'PartlyAddedError'
  readonly addedIds: readonly string[]
  readonly unconfirmedIds: readonly string[]

  constructor(cause: Error, { addedIds, unconfirmedIds }: { addedIds: readonly string[]; unconfirmedIds: readonly string[] }) {
    super(cause.message, { cause })
    this.addedIds = addedIds
    this.unconfirmedIds = unconfirmedIds
  }
}
