/**
 * Ids as they are stored: any text, with what a datastore cannot hold (NUL, unpaired surrogates) written as in JSON, so
 * that two different ids stay different everywhere.
 */
export function toStoredId(id: string): string {
  return JSON.stringify(id).slice(1, -1)
}

export function idFromStored(stored: string): string {
  return JSON.parse(`"${stored}"`) as string
}
