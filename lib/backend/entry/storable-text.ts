/** NUL, our escape character, and surrogates without their other half: PostgreSQL refuses the first, UTF-8 has no form for the last. */
const UNSTORABLE = /[\u0000\u0001]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const ESCAPED = /\u0001([0-9a-f]{4})/g

/** Text that every datastore keeps as it is; ordinary text is unchanged. `fromStorable` gives back exactly what went in. */
export function toStorable(text: string): string {
  return text.replace(UNSTORABLE, unit => `\u0001${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function fromStorable(text: string): string {
  return text.includes('\u0001') ? text.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text
}
