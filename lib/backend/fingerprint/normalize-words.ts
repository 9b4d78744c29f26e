import { COMMON_WORDS } from './common-words.ts'
import { isWord, ODD_LETTERS } from './is-word.ts'
import { oddLetters } from './odd-letters.ts'

/** Runs of ASCII letters and digits, runs of other Latin letters, and whatever is between them. */
const RUN = /[a-z0-9\u00c0-\u024f]+|[^a-z0-9\u00c0-\u024f]+/gi
/** Prefixes of ids, before `_`, `-`, `:` or `#`. */
const PREFIX = new RegExp(`^(?:${[
  'acc', 'acct', 'ba', 'btok', 'cn', 'fee', 'fr', 'ii', 'il', 'mbur', 'or', 'plink', 'pmc', 'prv', 'py', 'qt', 'rcpt', 're', 'rsv', 'si',
  'topup', 'txi', 'txr', 'we', 'whsec', 'account', 'addr', 'app', 'art', 'batch', 'bill', 'bucket', 'build', 'bld', 'card', 'cart', 'case',
  'cb', 'ch', 'charge', 'chk', 'cli', 'client', 'cmd', 'co', 'conn', 'corr', 'cs', 'ctx', 'cus', 'cust', 'customer', 'dev', 'device', 'di',
  'doc', 'document', 'dp', 'ep', 'event', 'evt', 'exec', 'exp', 'file', 'flow', 'grp', 'group', 'hash', 'id', 'img', 'in', 'inv', 'invoice',
  'item', 'job', 'key', 'lead', 'lease', 'li', 'lock', 'mail', 'mbr', 'mem', 'member', 'merchant', 'mid', 'msg', 'message', 'node', 'obj',
  'op', 'ord', 'order', 'org', 'page', 'parcel', 'pay', 'payment', 'pi', 'pid', 'plan', 'pm', 'po', 'pod', 'price', 'prod', 'product',
  'proj', 'project', 'promo', 'quote', 'rec', 'ref', 'refund', 'req', 'request', 'res', 'ret', 'rq', 'run', 'sess', 'session', 'seti',
  'ship', 'shipment', 'shop', 'sid', 'site', 'sku', 'span', 'src', 'sub', 'task', 'team', 'ten', 'tenant', 'ticket', 'tid', 'tkt', 'tok',
  'token', 'tr', 'trace', 'trx', 'tx', 'txn', 'uid', 'upload', 'usr', 'user', 'wh', 'wrk', 'worker', 'ws'
].join('|')})$`, 'i')
/** Prefixes of names in programs and databases. */
const OF_NAMES = /^(?:is|to|on|in|no|by|of|or|an|at|as|do|go|if|me|my|so|up|us|we|pg|fk|ix|idx|pk|uq|ck|mv|tbl|sp|fn|db|ui|js|py|sql)$/
/** Names with numbers in them: algorithms, formats, protocols and programs. */
const NUMBERED =
  /^(?:sha|md|crc|utf|http|https|ipv|tls|tlsv|ssl|base|rsa|aes|ecdsa|oauth|es|vp|mp|amd|arm|win|int|uint|float|ucs|iso|rfc|x|ec|neo|psr|latin|step|part|page|line|col|node|v|p|s|h|q|k|i)\d+(?:mb\d+|n|s|j)?$/i
const VERSION = /^v\d{1,3}(?:(?:alpha|beta|rc)\d*)?$/i
const HEX = /^[0-9a-f]{6,}$/i
const POD = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/
/** After one of these and `=`, `:` or a space, an id follows. */
const CALLED = /(?:^|[a-z_-])(?:id|ids|token|hash|sha|ref|reference|uuid|guid|trace|digest|etag|nonce|cursor|checksum)$|Id$/i

/**
 * Keeps words and replaces numbers and ids among them.
 * @param before the normalized text before it
 */
export function normalizeWords(text: string, before: readonly string[]): string {
  const runs = text.match(RUN) ?? []
  const named: string[] = []
  for (const [i, run] of runs.entries()) {
    if (!/[a-z0-9]/i.test(run)) {
      named.push(run.replace(/\p{Nd}+/gu, '<number>'))
      continue
    }
    const [separator, owner] = [runs[i - 1], runs[i - 2]]
    const isLast = runs[i + 1] === undefined || !/^[_-]/.test(runs[i + 1]!)
    const wasId = /^<(?:id|number)>$/.test(named.at(-2) ?? '') && (separator === '-' || separator === '_')
    const name = nameOf(run, {
      isAfterPrefix: isLast && owner !== undefined && /^[_:#-]$/.test(separator ?? '') &&
        (PREFIX.test(owner) || (separator === '_' && isPrefixOf(run, owner))),
      isCalled: separator === '#' || (runs.length === 1 && isCalledBy(before)),
      isAfterId: wasId
    })
    // Parts of the same id.
    if ((name === '<id>' || name === '<number>') && /^[_-]$/.test(separator ?? '') && /^<(?:id|number)>$/.test(named.at(-2) ?? ''))
      named.splice(-2, 2, '<id>')
    else named.push(name)
  }
  return named.join('')
}

/** A short prefix that is not a word, or one followed by mixed-case text: `trc_ehshxapi`, `lead_fKaQz`. */
function isPrefixOf(run: string, owner: string): boolean {
  return /^[a-z]{2,5}$/.test(owner) && (/[a-z][A-Z]/.test(run) || (owner.length <= 4 && !COMMON_WORDS.has(owner) && !OF_NAMES.test(owner)))
}

function isCalledBy(before: readonly string[]): boolean {
  const last = before.at(-1) === ' ' ? before.at(-2) : before.at(-1)
  const word = last === 'of' ? before.at(-4) : last
  return word !== undefined && (CALLED.test(word.replace(/[:=]$/, '')) || (word.length > 2 && PREFIX.test(word)))
}

interface Place { readonly isAfterPrefix: boolean; readonly isCalled: boolean; readonly isAfterId: boolean }

function nameOf(run: string, { isAfterPrefix, isCalled, isAfterId }: Place): string {
  if (/^\d+$/.test(run)) return '<number>'
  if (/[\u00c0-\u024f]/.test(run)) return run.replace(/\d+/g, '<number>')
  if (/\d/.test(run)) return isCodeName(run, isAfterPrefix || isCalled) && !isAfterId ? run.replace(/\d+/g, '<number>') : '<id>'
  if (isAfterId) return POD.test(run) || !isWord(run) ? '<id>' : run
  if ((isAfterPrefix || isCalled) && !isKnown(run)) return '<id>'
  return isGibberish(run) ? '<id>' : run
}

/** A name with digits that a program gave: `sha256`, `Uint8Array`, `step3`, `utf8mb4`. Where an id is expected, it counts as an id. */
function isCodeName(run: string, isExpected: boolean): boolean {
  if (VERSION.test(run)) return true
  if (isExpected || HEX.test(run)) return false
  if (NUMBERED.test(run) || /^(?:i18n|l10n|a11y|k8s|e2e|p2p|b2b|v8|utf8mb4)$/i.test(run)) return true
  if ((run.match(/\d+/g)?.length ?? 0) > 2) return false
  // Lower-case letters after a digit continue a name only if they form a word: `base64url`.
  const words = wordsIn(run).filter(word => word.length >= 2)
  const inner = run.match(/(?<=\d)[a-z]+/g) ?? []
  return words.some(word => word.length >= 3) && words.every(isKnown) &&
    inner.every(word => word.length >= 3 && word.length <= 6 && isWord(word)) &&
    words.join('').length >= run.replace(/\d/g, '').length - 1
}

/** Splits `someCamelCase` and `XMLHttpRequest` at capitals and digits. */
function wordsIn(run: string): string[] {
  return run.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\d+/).filter(word => word !== '')
}

function isKnown(run: string): boolean {
  if (run.length <= 2) return true
  return /[a-z][A-Z]/.test(run)
    ? wordsIn(run).every(word => word.length >= 3 && isKnown(word))
    : isWord(run) && (run.length <= 6 || oddLetters(run) < EXPECTED_ODD_LETTERS)
}

/** The threshold where an id is expected. */
const EXPECTED_ODD_LETTERS = 2
const GIBBERISH_MIN_LENGTH = 5
/** Average length of the parts of a camel-case name. */
const PART_MIN_LENGTH = 2.6
const MIXED_MIN_LENGTH = 10
const CAPITALS_MIN_LENGTH = 8

/** Letter sequences that no word has. Short codes in capitals are often acronyms of several words. */
function isGibberish(run: string): boolean {
  if (run.length < GIBBERISH_MIN_LENGTH || (/^[A-Z]+$/.test(run) && run.length < CAPITALS_MIN_LENGTH)) return false
  const parts = wordsIn(run)
  if (run.length >= MIXED_MIN_LENGTH && parts.length > 3 && run.length / parts.length < PART_MIN_LENGTH) return true
  if (parts.some(word => word.length >= 4 && word.length <= 6 && isWord(word))) return false
  return parts.every(word => word.length <= 2 || !isWord(word)) && oddLetters(run) >= ODD_LETTERS
}
