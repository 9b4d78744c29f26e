/** Characters that no SQL datastore holds: NUL and unpaired surrogates. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text for people (messages, stacks, logs) as every datastore can hold it; cut at `maxLength` characters. */
export function toStorableText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(UNSTORABLE, '\ufffd')
}

/**
 * A value as it travels through the broker: a string of JSON, in which NUL and unpaired surrogates are escaped, so that it
 * comes back exactly as it was on every datastore. Throws a TypeError for what JSON cannot say.
 */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** null for what is not ours. */
export function valueFromJson(json: unknown): unknown {
  if (typeof json !== 'string') return null
  try {
    return JSON.parse(json) as unknown
  } catch {
    return null
  }
}

export function isStorable(text: string): boolean {
  return text.search(UNSTORABLE) === -1
}
