/** NUL, our escape character, and unpaired surrogates. PostgreSQL refuses NUL; UTF-8 cannot encode unpaired surrogates. */
const UNSTORABLE = /[\u0000\u0001]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const ESCAPED = /\u0001([0-9a-f]{4})/g

/** Escapes text so that every datastore keeps it unchanged; ordinary text stays as it is. `fromStorable` is the exact inverse. */
export function toStorable(text: string): string {
  return text.replace(UNSTORABLE, unit => `\u0001${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function fromStorable(text: string): string {
  return text.includes('\u0001') ? text.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text
}
