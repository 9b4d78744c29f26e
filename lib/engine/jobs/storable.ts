/** Characters that no SQL datastore can hold: NUL and unpaired surrogates. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text for people (messages, stacks, logs) in a form that every datastore can hold, cut at `maxLength` characters. */
export function toStorableText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(UNSTORABLE, '\ufffd')
}

/**
 * A value in the form it takes through the broker: a JSON string in which NUL and unpaired surrogates are escaped, so that it comes back
 * unchanged from every datastore. Throws a TypeError for values that JSON cannot represent.
 */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** null for values that are not ours. */
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
