/** A number after one of these is a code that the program chose. It distinguishes one cause from another. */
const CODE_WORD = /^(?:\w{0,40}?[-_]?(?:status|code)|http|https?\/[\d.]{1,3}|errno|sqlstate|exit|signal|response|fehlercode|código)$/i
/** Codes given to people, such as zip or PIN codes. */
const OF_PEOPLE =
  /^(?:zip|postal|post|postcode|verification|security|confirmation|access|otp|pin|sms|promo|discount|coupon|voucher|gift|booking|tracking|area|dialling|country|bar|qr|product|item|customer|reference)$/i
const OF_ERROR = /^(?:error|fehler|erreur)$/i
const ANSWER =
  /^(?:answered|answers|responded|responds|returned|returns|replied|gave|gives|got|received|with|was|is|failed|->|=>|→|antwortet[e]?|répond[u]?|respondió)$/i
const CODE = /^-?\d{1,5}$/
const HTTP_STATUS = /^[1-5]\d\d$/
const ERROR_CODE = /^\d{3,5}$/
/** Mail servers' enhanced status codes, after `550`: RFC 3463. */
const MAIL_STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/

/**
 * Whether a number is part of the cause (`status code 404`, `exit 137`, `GET <url> gave 503`) rather than data.
 * @param before the normalized text before it
 */
export function isStatusCode(number: string, before: readonly string[]): boolean {
  const words = wordsBefore(before)
  const last = words[0] ?? ''
  if (MAIL_STATUS.test(number)) return /^[245]\d\d-?$/.test(last) || last === '<number>'
  if (!CODE.test(number)) return false
  if (CODE_WORD.test(last)) return !OF_PEOPLE.test(words[1] ?? '')
  if (OF_ERROR.test(last)) return ERROR_CODE.test(number)
  return HTTP_STATUS.test(number) && ANSWER.test(last) && before.some(part => part.startsWith('<url'))
}

/** The last two words, nearest first. */
function wordsBefore(before: readonly string[]): string[] {
  const words: string[] = []
  for (let at = before.length - 1; at >= 0 && words.length < 2 && before.length - at < 8; at--) {
    const word = before[at]!.replace(/^"|[:=#"]$/g, '')
    if (/[^\s([{<"'`]/.test(word)) words.push(word)
    else if (!/^[\s([{]*$/.test(word)) break
  }
  return words
}
