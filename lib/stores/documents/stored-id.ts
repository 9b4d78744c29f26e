/**
 * Ids in stored form. Any text works: characters that a datastore cannot hold (NUL, unpaired surrogates) are escaped as in JSON, so that
 * different ids stay different everywhere.
 */
export function toStoredId(id: string): string {
  return JSON.stringify(id).slice(1, -1)
}

export function idFromStored(stored: string): string {
  return JSON.parse(`"${stored}"`) as string
}
