/** Full names and common abbreviations only, so that `decoder 5` and `après 5 s` do not match as dates. */
const MONTHS = [
  'jan(?:uary?|uari|v|vier)?|feb(?:ruary?|ruari|rero|braio)?|mar(?:ch)?|apr(?:ile?)?|may|june?|july?|aug(?:ust|ustus)?',
  'sept?(?:ember)?|oct(?:ober|obre)?|nov(?:ember|embre)?|dec(?:ember)?',
  'mär(?:z)?|mrz|mai|juni?|juli?|okt(?:ober)?|dez(?:ember)?|maart|mei|fév(?:r(?:ier)?)?|mars|avr(?:il)?|juin|juil(?:let)?|août',
  'déc(?:embre)?',
  'enero?|ene|marzo|abr(?:il)?|mayo|junio|julio|ago(?:sto)?|septiembre|octubre|noviembre|dic(?:iembre|embre)?|gen(?:naio)?|maggio',
  'giugno|luglio|settembre|ottobre',
  'janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro',
  'янв(?:аря?)?|фев(?:р(?:аля?)?)?|мар(?:т|та)?|апр(?:еля?)?|ма[йя]|июн[яь]?|июл[яь]?|авг(?:уста?)?|сент?(?:ября?)?|окт(?:ября?)?',
  'ноя(?:б(?:ря?)?)?|дек(?:абря?)?'
].join('|')
const DAYS = [
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch',
  '(?:lun|mar|mercre|jeu|vendre|same)di|dimanche',
  'lunes|martes|miércoles|jueves|viernes|sábado|domingo|пн|вт|ср|чт|пт|сб|вс'
].join('|')
/** These are verbs unless capitalized. */
const VERB = /^(?:may|march)\b/

const MONTH = `(?:${MONTHS})(?![\\p{L}])\\.?`
const WEEKDAY = `(?:${DAYS}|(?:Mo|Di|Mi|Do|Fr|Sa|So)(?=[.,]))(?![\\p{L}])[.,]{0,2}[ ]`
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|\\.)?'
const CLOCK = '\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:[ ]?[ap]m\\b)?'
const ZONE = '[ ]?(?:GMT|UTC|Z|CES?T|[ECMP][SD]T)?(?:[+-]\\d\\d:?\\d\\d)?(?![\\p{L}\\d])(?:[ ]\\([\\w ]{3,40}\\))?'
const BETWEEN = '(?:[ ,/-]|[ ](?:de|of)[ ]|,[ ])'
const YEAR = '\\d{4}(?!\\d)'
const SPOKEN = new RegExp(
  `(?:${WEEKDAY})?(?:${DAY}${BETWEEN}${MONTH}(?:${BETWEEN}${YEAR})?|${MONTH}${BETWEEN}(?:${DAY}(?![\\d:])(?:,?[ ]${YEAR})?|${YEAR}))` +
  `(?:(?:[ :,]|,[ ]|[ ](?:at|um|à|a las)[ ])${CLOCK}(?:[ ]${YEAR})?)?(?:${ZONE})?`, 'iuy')
/** A weekday before a numeric date. */
const OF_WEEK = new RegExp(`${WEEKDAY}(?=\\d{1,4}[-/.:]\\d)`, 'iuy')

/**
 * The end of a date with a month name (`Sat Nov 21 2026 10:11:12 GMT+0100`, `3. Mai 2026`), or of a weekday before a numeric date.
 * @returns null when none starts at the position
 */
export function endOfDate(text: string, at: number): number | null {
  for (const form of [SPOKEN, OF_WEEK]) {
    form.lastIndex = at
    const [date = ''] = form.exec(text) ?? []
    if (date !== '' && !VERB.test(date)) return at + date.trimEnd().length
  }
  return null
}
