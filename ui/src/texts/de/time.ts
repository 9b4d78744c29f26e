import type { Texts } from '../texts.ts'
import { sayOfTiming } from './timing-words.ts'

export const time: Texts['time'] = {
  units: { ms: 'ms', s: 's', m: 'min', h: 'h', d: 'd', w: 'Wo.', y: 'J.' },
  now: 'jetzt',
  dueNow: 'jetzt fällig',
  due: when => `${when} fällig`,
  ago: span => `vor ${span}`,
  in: span => `in ${span}`,
  yourTime: 'Ihrer Zeit',
  sayOfTiming,

  range: 'Zeitraum',
  all: 'Alles',
  allTime: 'Gesamte Zeit',
  other: 'Anderer …',
  last: 'Letzte',
  from: 'Von',
  to: 'bis',
  show: 'Anzeigen',
  presets: {
    '15m': 'Letzte 15 Minuten', '1h': 'Letzte Stunde', '24h': 'Letzte 24 Stunden', '7d': 'Letzte 7 Tage', '30d': 'Letzte 30 Tage',
    '90d': 'Letzte 90 Tage', '1y': 'Letztes Jahr'
  },
  lastSpan: span => `Letzte ${span}`,
  since: start => `Seit ${start}`,
  between: (start, end) => `${start} bis ${end}`,
  inPresets: {
    '15m': ' in den letzten 15 Minuten', '1h': ' in der letzten Stunde', '24h': ' in den letzten 24 Stunden',
    '7d': ' in den letzten 7 Tagen', '30d': ' in den letzten 30 Tagen', '90d': ' in den letzten 90 Tagen', '1y': ' im letzten Jahr'
  },
  inLastSpan: span => ` in den letzten ${span}`,
  sinceThen: start => ` seit ${start}`,
  fromTo: (start, end) => ` von ${start} bis ${end}`,

  howToWrite: 'Schreiben Sie 45m, 6h oder 30d, höchstens 1y.',
  giveBeginning: 'Geben Sie einen Beginn an.',
  hasNotBegun: 'Der Beginn liegt in der Zukunft.',
  endsBeforeItBegins: 'Das Ende liegt vor dem Beginn.',
  noRange: text => `„${text}“ ist kein Zeitraum: Schreiben Sie 45m, 6h oder 30d, höchstens 1y`,
  noTime: text => `„${text}“ ist keine Zeitangabe`,
  needsBeginning: 'Ein Zeitraum braucht einen Beginn',
  rangeHasNotBegun: 'Dieser Zeitraum hat noch nicht begonnen',
  rangeEndsBefore: 'Dieser Zeitraum endet vor seinem Beginn',
  rangeTooLong: 'Dieser Zeitraum beginnt vor mehr als einem Jahr',
  shownInstead: (problem, range) => `${problem}. Stattdessen angezeigt: ${range}.`
}
