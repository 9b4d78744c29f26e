import { counted } from '../numbers.ts'
import type { Texts } from '../texts.ts'

const executionsOf = (count: number): string => counted(count, { one: 'Ausführung', other: 'Ausführungen' })

export const rows: Texts['rows'] = {
  statuses: { pending: 'Wartend', running: 'Laufend', success: 'Erfolg', failed: 'Fehlschlag', cancelled: 'Abgebrochen' },
  states: {
    delayed: 'verzögert', prioritized: 'mit Priorität', waiting_children: 'wartet auf abhängige', paused: 'Warteschlange angehalten',
    retrying: 'zwischen zwei Versuchen', stalled: 'hängt'
  },

  cancelling: 'Abbruch läuft',
  neverStarted: 'nie gestartet',

  task: 'Aufgabe',
  attempt: 'Versuch',
  attemptOf: (attempt, most) => `Versuch ${attempt} von ${most}`,
  notDue: 'nicht fällig',
  notYet: 'noch nicht',
  retried: status => `wiederholt: ${status}`,
  isRetry: 'eine Wiederholung',
  waitUnknown: 'Der Beginn des ersten Versuchs wurde nicht aufgezeichnet',
  lengthUnknown: 'Die Dauer des letzten Versuchs wurde nicht aufgezeichnet',

  error: 'Fehler',
  nothingRemoved: 'Es wird nichts entfernt.',
  keptFor: limits => `Ausführungen werden ${limits} aufbewahrt.`,
  keptApart: (success, failed) => `Erfolgreiche werden ${success} aufbewahrt, fehlgeschlagene ${failed}.`,
  forEver: 'unbegrenzt',
  forSpan: span => `${span} lang`,
  upTo: count => `bis zu ${executionsOf(count)}`
}
