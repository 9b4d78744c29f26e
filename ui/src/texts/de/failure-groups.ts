import { counted } from '../numbers.ts'
import type { Texts } from '../texts.ts'

const groupsOf = (count: number): string => counted(count, { one: 'Gruppe', other: 'Gruppen' })

export const groups: Texts['groups'] = {
  group: 'Fehlergruppe',
  theGroup: 'Diese Fehlergruppe',
  loading: 'Fehlschläge werden geladen',
  loadingGroup: 'Fehlergruppe wird geladen',
  listed: (count, isOne, order) => `${count} ${isOne ? 'Gruppe' : 'Gruppen'}${order === null ? '' : `, ${order}`}`,
  appearAsGroups: 'Fehlschläge mit derselben Ursache erscheinen hier als eine Gruppe, mit Ort und Beginn.',
  showMoreThan: count => `Mehr als diese ${groupsOf(count)} anzeigen`,
  tooMany: count => `Es gibt mehr als ${groupsOf(count)}: zu viele, um sie hier zu sortieren. Die zuletzt aufgetretenen stehen oben. ` +
    'Wählen Sie zuerst eine kürzere Zeit oder eine Aufgabe.',
  loadingMore: 'Weitere werden geladen',
  everyTask: 'Fehlschläge aller Aufgaben anzeigen',
  hours: '24 Stunden',
  firstSeen: 'Zuerst',
  tasks: 'Aufgaben',
  where: 'Ort',
  andMoreTasks: count => `und ${counted(count, { one: 'weitere Aufgabe', other: 'weitere Aufgaben' })}`,
  allTimeTitle: 'Fehlschläge im gesamten Zeitraum',
  copyAsMarkdown: 'Als Markdown kopieren',
  groupHasNotFailed: range => `Diese Gruppe hat keinen Fehlschlag${range}.`,
  noSuchGroup: 'Keine Fehlergruppe hat diese Kennung.',
  noneKept: 'Keine ihrer Ausführungen ist aufbewahrt.',
  noneKeptOf: range => `Keine ihrer Ausführungen${range} ist aufbewahrt.`,

  state: 'Zustand',
  states: { open: 'offen', resolved: 'erledigt', regressed: 'wieder aufgetreten' },
  views: { open: 'Offen', regressed: 'Wieder aufgetreten', resolved: 'Erledigt', all: 'Jeder Zustand' },
  noneOf: {
    open: range => `Kein offener Fehlschlag${range}`,
    regressed: range => `Kein erledigter Fehlschlag ist wieder aufgetreten${range}`,
    resolved: range => `Kein erledigter Fehlschlag${range}`,
    all: range => `Kein Fehlschlag${range}`
  },
  action: 'Erledigen oder wieder öffnen',
  decided: { resolve: 'erledigt', reopen: 'wieder geöffnet' },
  by: 'von',
  byItself: 'von selbst erledigt: Jeder Fehlschlag wurde erfolgreich wiederholt',
  decidedBy: (what, who, when) => `${what}${who === null ? '' : ` von ${who}`} ${when}`,
  note: 'Notiz (freiwillig)',
  decidedMeanwhile: 'Das hat inzwischen jemand entschieden. Dasselbe ohne Notiz lässt es so; alles andere tritt an dessen Stelle.',
  resolve: {
    button: 'Erledigen …',
    question: 'Diese Fehlergruppe erledigen?',
    detail: 'Sie verlässt die Liste der offenen Fehlschläge. Tritt sie wieder auf, erscheint sie dort erneut. Die Anzahl bleibt.',
    confirm: 'Erledigen',
    busy: 'Wird erledigt …',
    done: type => `Erledigt: ${type}`,
    refused: why => `Nicht erledigt: ${why}`,
    failedAgain: when => `Der letzte Fehlschlag ist jetzt der oben, ${when}. Bestätigen Sie noch einmal, um auch ihn zu erledigen.`,
    inDoubt: why => `Vielleicht erledigt: ${why}`
  },
  reopen: {
    button: 'Öffnen …',
    question: 'Diese Fehlergruppe wieder öffnen?',
    detail: 'Sie steht wieder in der Liste der offenen Fehlschläge. Die Anzahl bleibt.',
    confirm: 'Wieder öffnen',
    busy: 'Wird geöffnet …',
    done: type => `Wieder geöffnet: ${type}`,
    refused: why => `Nicht wieder geöffnet: ${why}`,
    inDoubt: why => `Vielleicht wieder geöffnet: ${why}`
  },

  last: 'Letzter Fehlschlag',
  theLast: 'Der letzte Fehlschlag',
  lastDetails: 'Zu den Einzelheiten',
  stackOfLast: 'Aufrufliste des letzten Fehlschlags',
  noStack: 'Keine Aufrufliste aufgezeichnet.',
  lastNotKept: 'Die Ausführung wird nicht mehr aufbewahrt: Ihre Frist ist abgelaufen.',
  loadingLast: 'Letzter Fehlschlag wird geladen',

  compare: count => `Argumente der letzten ${count} vergleichen`,
  comparedNotLoaded: 'Die Ausführungen konnten nicht geladen werden; alle paar Sekunden ein neuer Versuch.',
  loadingArguments: 'Argumente werden geladen',
  compared: count => `${counted(count, { one: 'Ausführung', other: 'Ausführungen' })} verglichen, die neueste zuerst`,
  notCompared: count =>
    `; bei ${counted(count, { one: 'anderen', other: 'anderen' })} waren die Argumente gekürzt, nicht aufgezeichnet oder nicht ladbar`
}
