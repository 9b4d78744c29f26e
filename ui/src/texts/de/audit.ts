import { counted, formatInteger } from '../numbers.ts'
import type { Texts } from '../texts.ts'

export const audit: Texts['audit'] = {
  title: 'Audit-Log',
  one: 'Audit-Eintrag',
  thisOne: 'Dieser Eintrag',
  lead: 'Jede angeforderte Änderung, die neueste zuerst.',
  kept: (days, count) =>
    `Einträge bleiben ${counted(days, { one: 'Tag', other: 'Tage' })} erhalten, höchstens ${formatInteger(count)}.`,
  loading: 'Das Audit-Log wird geladen',
  loadingOne: 'Der Eintrag wird geladen',
  loadingMore: 'Weitere werden geladen',
  none: 'Noch ist nichts verzeichnet',
  noneDetail: 'Hier erscheint jede Änderung, die jemand hier oder über die API anfordert.',
  noneMatches: 'Kein passender Eintrag',
  showAll: 'Das ganze Log anzeigen',
  showNews: (count, hasMore) => `${formatInteger(count)}${hasMore ? '+' : ''} neue anzeigen`,
  moreNotLoaded: 'Weitere konnten nicht geladen werden.',
  stillLooking: found => `Die Suche läuft noch. Bisher ${formatInteger(found)} gefunden.`,
  lookedSoFar: found => `Noch nicht alle Einträge durchsucht. Bisher ${formatInteger(found)} gefunden.`,
  stop: 'Anhalten',
  goOn: 'Weitersuchen',
  searchAgain: 'Neu suchen',
  searchAgainTitle: 'Diese Suche dauerte lange und wiederholt sich daher nicht von selbst',
  thatIsAll: count => `Das sind alle: ${counted(count, { one: 'Eintrag', other: 'Einträge' })}.`,

  columns: { when: 'Wann', what: 'Was', on: 'Woran', who: 'Wer', outcome: 'Ausgang', reason: 'Grund', address: 'Von' },
  actions: {
    'tasks:run': 'Aufgabe ausführen', 'executions:retry': 'Ausführung wiederholen', 'executions:cancel': 'Ausführung abbrechen',
    'executions:update': 'Ausführung ändern', 'executions:delete': 'Ausführung löschen',
    'failures:resolve': 'Fehlschläge erledigen', 'failures:reopen': 'Fehlschläge wieder öffnen',
    'schedules:create': 'Zeitplan anlegen',
    'schedules:update': 'Zeitplan ändern', 'schedules:enable': 'Zeitplan aktivieren', 'schedules:disable': 'Zeitplan deaktivieren',
    'schedules:run': 'Zeitplan ausführen', 'schedules:delete': 'Zeitplan löschen',
    'bulk:create': 'Sammelaktion beginnen', 'bulk:suspend': 'Sammelaktion anhalten', 'bulk:resume': 'Sammelaktion fortsetzen',
    'bulk:abort': 'Sammelaktion beenden', 'bulk:undo': 'Sammelaktion zurücknehmen',
    'queues:pause': 'Warteschlange anhalten', 'queues:resume': 'Warteschlange fortsetzen', 'queues:limit': 'Warteschlange begrenzen'
  },
  outcomes: { done: 'Erledigt', refused: 'Abgelehnt', failed: 'Fehlgeschlagen', unknown: 'Unbekannt', in_progress: 'Läuft' },
  outcomeNotes: {
    done: 'Die Änderung wurde vorgenommen.',
    refused: 'Sie war nicht erlaubt, nicht gültig oder nicht möglich. Nichts wurde geändert.',
    failed: 'Der Server konnte sie nicht vornehmen. Nichts wurde geändert.',
    unknown: 'Vielleicht wurde sie vorgenommen: Der Ausgang ist nicht verzeichnet.',
    in_progress: 'Der Ausgang steht noch aus.'
  },
  notListed: count => `${counted(count, { one: 'abgelehnte Änderung', other: 'abgelehnte Änderungen' })} davor ` +
    `${count === 1 ? 'ist' : 'sind'} nicht aufgeführt`,
  notListedInShort: count => `${formatInteger(count)} weitere nicht aufgeführt`,
  nobody: 'Niemand war angemeldet, oder der Host nennt den Benutzer nicht',
  noAddress: 'Der Host nennt die Adresse nicht',
  schedule: id => `Zeitplan ${id}`,
  execution: id => `Ausführung ${id}`,
  group: id => `Fehlergruppe ${id}`,
  failureGroup: 'Fehlergruppe',

  filters: {
    outcome: 'Ausgang', everyOutcome: 'Alle', actor: 'Wer, genau wie aufgeführt', action: 'Aktion', everyAction: 'Alle Aktionen',
    task: 'Aufgabe', everyTask: 'Alle Aufgaben', schedule: 'Zeitplan', everySchedule: 'Einträge zu jedem Zeitplan',
    execution: 'Ausführung', everyExecution: 'Einträge zu jeder Ausführung'
  },

  copyEntry: 'Als JSON kopieren',
  reason: 'Grund',
  noReason: 'nicht angegeben',
  changes: 'Was sich änderte',
  differences: 'Unterschiede',
  field: 'Feld',
  before: 'Vorher',
  after: 'Nachher',
  notThere: 'nicht vorhanden',
  nothingDiffers: 'Vorher und nachher sind gleich.',
  changesCut: 'Es hat mehr Felder, als hier verglichen werden. Das JSON unten enthält alle.',
  sameFields: count => counted(count, { one: 'Feld blieb gleich', other: 'Felder blieben gleich' }),
  beforeAsJson: 'Vorher, als JSON',
  afterAsJson: 'Nachher, als JSON',
  answer: 'Antwort',
  wasDeleted: 'Der Stand davor',
  notKept: { before: 'Der Stand davor ist zu groß zum Aufbewahren.', after: 'Der Stand danach ist zu groß zum Aufbewahren.' },
  details: 'Einzelheiten',
  request: 'Anfrage',
  status: 'Status',
  code: 'Code',
  requestId: 'Anfrage-ID',
  entry: 'Eintrag',
  allOfIt: 'alle Einträge dazu',
  allOfActor: 'alle Einträge dieses Benutzers',
  missing: 'Dieser Eintrag ist nicht im Log',
  missingDetail: 'Vielleicht ist er älter als das, was erhalten bleibt.',

  link: 'Änderungen',
  linkTo: 'im Audit-Log'
}
