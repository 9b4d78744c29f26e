const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"', "'": "'", '`': '`', '“': '”', '„': '“”"', '‘': '’', '‚': '‘’', '«': '»', '»': '«', '‹': '›', '「': '」', '『': '』'
}
const WORD = /[\p{L}\p{N}_]/u

/**
 * The end of the quote that starts at a position; null when there is none. A quote never spans lines.
 * @param unclosed for each kind of quote, the position up to which no closing quote exists, so that no text is searched twice
 */
export function closingQuote(text: string, at: number, unclosed: Map<string, number>): number | null {
  const opener = text[at]!
  const closers = CLOSERS[opener]
  if (closers === undefined || at < (unclosed.get(opener) ?? 0)) return null
  const isApostrophe = opener === "'" || opener === '‘' || opener === '‚'
  // An apostrophe inside a word is not a quote.
  if (opener === "'" && isWordAt(text, at - 1)) return null
  let end = at + 1
  for (; end < text.length && text[end] !== '\n'; end++) {
    if (closers.includes(text[end]!) && !(isApostrophe && isWordAt(text, end + 1))) return end
  }
  unclosed.set(opener, end)
  return null
}

function isWordAt(text: string, at: number): boolean {
  return WORD.test(text.charAt(at))
}

/** Words before names that the code chose. The quoted names after them distinguish errors, so they are kept. */
const NAMED = new RegExp(`^(?:${[
  'constraint', 'column', 'relation', 'table', 'view', 'index', 'sequence', 'trigger', 'function', 'operator', 'schema', 'database', 'role',
  'collection', 'model', 'class', 'type', 'enum', 'parameter', 'argument', 'field', 'header', 'variable', 'module', 'package', 'method',
  'option', 'extension', 'script', 'property', 'attribute', 'key', 'path', 'name', 'at', 'reading', 'setting', 'deleting', 'KeyError',
  'NameError', 'AttributeError', 'code', 'status', 'host', 'hostname', 'server', 'service', 'queue', 'topic', 'exchange', 'bucket',
  'namespace', 'cluster', 'region', 'command', 'event', 'feature', 'scope', 'permission'
].join('|')})(?:e?s)?$`, 'i')
/** What follows a quoted name at the start of a sentence: `"email" is required`. */
const DEMAND = /^ (?:is required|is not allowed|is missing|must|should|has to|contains an? )/
const NAME = /^[\p{L}_$@][\p{L}\p{N}_.$@/-]{0,63}$/u
/** JSON keys whose values are chosen by a program. */
export const TELLING_KEYS =
  /^(?:code|type|error|errors|status|kind|reason|message|expected|received|path|validation|keyword|rule|field|param|name|detail|title)$/i

/**
 * The replacement for a quote: usually `<value>`.
 * @param before the normalized text before it
 * @param normalize applied to names that are kept
 */
export function nameOfQuoted(
  text: string, start: number, end: number, before: readonly string[], normalize: (text: string) => string
): string {
  const inside = text.slice(start + 1, end)
  if (text[start] === '"' && isJson(text, start, end)) return nameInJson(text, start, end, normalize)
  if (!NAME.test(inside)) return '<value>'
  const word = wordBefore(before)
  const isNamed = word === undefined
    ? before.length === 0 && DEMAND.test(text.slice(end + 1, end + 40))
    : NAMED.test(word.replace(/[:=]$/, '')) || (/[:;.]$/.test(word) && DEMAND.test(text.slice(end + 1, end + 40)))
  return isNamed ? normalize(inside) : '<value>'
}

/** The word before `"a"`, ` ("a"`, `: "a"` and `=a`; undefined at the start of a text. */
function wordBefore(before: readonly string[]): string | undefined {
  return before.findLast(part => !/^[\s([{]*$/.test(part))
}

function isJson(text: string, start: number, end: number): boolean {
  return /[{[,:]\s{0,8}$/.test(text.slice(Math.max(0, start - 9), start)) && /^\s{0,8}(?:[:,}\]]|$)/.test(text.slice(end + 1, end + 10)) &&
    /[{[]/.test(text.slice(0, start))
}

function nameInJson(text: string, start: number, end: number, normalize: (text: string) => string): string {
  const inside = text.slice(start + 1, end)
  if (/^\s{0,8}:/.test(text.slice(end + 1, end + 10))) return NAME.test(inside) ? `"${normalize(inside)}"` : '<value>'
  // The key before this value, or before the array that contains it.
  const [, key = ''] = /"(\w{1,40})"\s{0,8}:\s{0,8}(?:\[[\s\w",.]{0,200})?$/.exec(text.slice(Math.max(0, start - 260), start)) ?? []
  return TELLING_KEYS.test(key) ? `"${normalize(inside)}"` : '<value>'
}
