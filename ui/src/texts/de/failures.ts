import { counted, formatInteger, formOf } from '../numbers.ts'
import type { Texts } from '../texts.ts'

const groupsOf = (count: number): string => counted(count, { one: 'Gruppe', other: 'Gruppen' })

export const failures: Texts['failures'] = {
  title: 'Fehlschläge',
  groups: 'Fehlergruppen',
  loadingGroups: 'Fehlergruppen werden geladen',
  all: 'Alle Fehlschläge',
  allOfThisTime: 'alle Fehlschläge dieses Zeitraums',
  newestFirst: 'zuletzt fehlgeschlagene zuerst',
  urgentFirst: 'dringende zuerst',
  showMoreGroups: count => `${counted(count, { one: 'weitere Gruppe', other: 'weitere Gruppen' })} anzeigen`,
  andGroups: count => `und ${groupsOf(count)}`,
  orMore: ' oder mehr',
  counted: hours => `gezählt ${hours}`,
  countedTitle: 'Fehlschläge einer Gruppe werden in ganzen Stunden gezählt',
  failedExecutions: 'Fehlgeschlagene Ausführungen',

  recent: 'Letzte fehlgeschlagene Ausführungen',
  allFailed: 'Alle fehlgeschlagenen',
  noneFailed: range => `Keine fehlgeschlagene Ausführung${range}`,
  failedAppear: 'Schlägt eine endgültig fehl, erscheint sie hier mit ihrem Fehler.',
  loadingFailed: 'Fehlgeschlagene Ausführungen werden geladen',
  noErrorRecorded: 'kein Fehler aufgezeichnet',

  columns: { trend: '24 Stunden', count: 'Anzahl' },
  lastHours: 'Letzte 24 Stunden',
  trend: 'Fehlschläge je Stunde der letzten 24 Stunden, älteste zuerst',
  count: count => counted(count, { one: 'Fehlschlag', other: 'Fehlschläge' }),
  onPhone: count => formOf(count, { one: 'Fehlschlag', other: 'Fehlschläge' }),
  lastSeen: 'Zuletzt',
  rising: '↗ zunehmend',
  risingTitle:
    'In den letzten drei Stunden mehr als doppelt so hoher Anteil am Beendeten wie davor, und zuletzt vor höchstens 15 Minuten',
  new: 'neu',
  newTitle: 'Zuerst in den letzten 24 Stunden gesehen',
  andMore: count => `und ${formatInteger(count)} weitere`
}
