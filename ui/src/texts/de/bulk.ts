import { counted, formatInteger, formOf } from '../numbers.ts'
import type { Texts } from '../texts.ts'

const executionsOf = (count: number): string => counted(count, { one: 'Ausführung', other: 'Ausführungen' })
const groupsOf = (count: number): string => counted(count, { one: 'offene Fehlergruppe', other: 'offene Fehlergruppen' })
const selectedOf = (count: number): string => counted(count, { one: 'ausgewählte Ausführung', other: 'ausgewählte Ausführungen' })
const tasksOf = (count: number): string => counted(count, { one: 'Aufgabe', other: 'Aufgaben' })

const cannotBe = (count: number, done: string): string =>
  `${selectedOf(count)} ${formOf(count, { one: 'lässt', other: 'lassen' })} sich jetzt nicht ${done} ` +
  `und ${formOf(count, { one: 'bleibt', other: 'bleiben' })} unverändert.`

export const bulk: Texts['bulk'] = {
  title: 'Sammelaktionen',
  lead: 'Wiederholt, bricht ab, löscht oder erledigt alles, worauf ein Filter zutrifft. Wird 7 Tage aufbewahrt.',
  one: 'Diese Sammelaktion',
  loading: 'Sammelaktionen werden geladen',
  loadingOne: 'Die Sammelaktion wird geladen',
  none: 'Keine Sammelaktion in den letzten 7 Tagen',
  noneDetail: 'Filtern Sie die Ausführungen, und wählen Sie dann „Alle Treffer …“.',
  toExecutions: 'Zu den Ausführungen',
  more: 'Mehr zeigen',

  allThatMatch: 'Alle Treffer …',
  retryAll: 'Alle wiederholen …',
  allThatMatchTitle: 'Alles wiederholen, abbrechen, löschen oder erledigen, worauf der Filter zutrifft',
  question: 'Aktion auf alle Treffer',
  selected: count => `${formatInteger(count)} ausgewählt`,
  selectedFull: most => `${formatInteger(most)} ausgewählt, mehr geht nicht auf einmal. „Alle Treffer …“ hat diese Grenze nicht.`,
  actOnSelected: 'Aktion auf diese …',
  questionSelected: 'Aktion auf die ausgewählten Ausführungen',
  clearSelection: 'Aufheben',
  select: 'Auswählen',
  selectOne: (task, id) => `${task} ${id} auswählen`,
  action: 'Aktion',
  actions: { retry: 'Wiederholen', cancel: 'Abbrechen', delete: 'Löschen', resolve: 'Erledigen' },
  unknownAction: 'Unbekannte Aktion',
  details: {
    retry: 'Jede fehlgeschlagene Ausführung läuft neu, mit ihren eigenen Argumenten. Schon wiederholte werden übersprungen.',
    cancel: 'Was wartet, läuft nie. Was läuft, wird zum Anhalten aufgefordert. Das lässt sich nicht zurücknehmen.',
    delete: 'Argumente, Ergebnisse, Versuche und Protokolle beendeter Ausführungen gehen verloren. Das lässt sich nicht zurücknehmen.',
    resolve: 'Fehlergruppen werden als Ganzes erledigt. Der Zeitraum zählt auf die Stunde genau.'
  },
  counting: 'Treffer werden gezählt… Sie können schon beginnen.',
  notCounted: why => `Nicht gezählt: ${why}`,
  matching: (count, isGroups, isAtLeast) => `${isAtLeast ? 'Mindestens ' : ''}${(isGroups ? groupsOf : executionsOf)(count)}`,
  matchNow: 'zurzeit',
  nothingMatches: 'Kein Treffer.',
  uncounted: 'Das Zählen dauert zu lange. Sie können ohne die Zahl beginnen.',
  ofTasks: count => `von ${counted(count, { one: 'Aufgabe', other: 'Aufgaben' })}`,
  ofAtMostTasks: count => `von höchstens ${counted(count, { one: 'Aufgabe', other: 'Aufgaben' })}`,
  leftOut: count => `${tasksOf(count)} ausgelassen: Sie dürfen das mit deren Ausführungen nicht tun.`,
  selectedLeftOut: count => `${selectedOf(count)} ausgelassen: Das dürfen Sie nicht.`,
  notMatching: {
    retry: count => cannotBe(count, 'wiederholen'), cancel: count => cannotBe(count, 'abbrechen'),
    delete: count => cannotBe(count, 'löschen')
  },
  capped: most => `Eine Sammelaktion endet nach ${formatInteger(most)} Einträgen.`,
  tooMany: most => `Eine Sammelaktion hat höchstens ${formatInteger(most)} Einträge. Schränken Sie den Filter ein, etwa nach Zeit.`,
  newest: 'Die neuesten davon',
  rate: 'Einträge je Sekunde (optional)',
  rateNote: 'Leer: so schnell, wie die Speicher es zulassen.',
  rateProblem: most => `Eine ganze Zahl von 1 bis ${most}.`,
  start: 'Beginnen',
  startWith: count => `Mit ${count} beginnen`,
  starting: 'Wird begonnen …',
  drifted: (now, before) =>
    `Nichts wurde begonnen: Inzwischen sind es ${now}${before === null ? '' : `, nicht ${before}`}. Mit diesen beginnen?`,
  notStarted: why => `Nicht begonnen: ${why}`,
  mayBeStarted: why => `Vielleicht begonnen: ${why}. Beginnen Sie noch einmal: Dieselbe Anfrage wird nur einmal ausgeführt.`,
  started: 'Die Sammelaktion hat begonnen',

  columns: {
    created: 'Begonnen', action: 'Aktion', filter: 'Filter', state: 'Zustand', progress: 'Fortschritt', by: 'Von', reason: 'Grund',
    outcome: 'Ergebnis', item: 'Eintrag', why: 'Warum', made: 'Neue Ausführung'
  },
  states: {
    running: 'Läuft', suspended: 'Angehalten', aborted: 'Abgebrochen', done: 'Fertig', undoing: 'Wird zurückgenommen',
    undone: 'Zurückgenommen', unsupported: 'Von anderer Version'
  },
  unsupported: 'Eine andere Version des Dashboards hat sie gestartet. Prozesse jener Version machen weiter; diese rührt sie nicht an.',
  outcomes: { done: 'Erledigt', skipped: 'Übersprungen', failed: 'Fehlgeschlagen', undone: 'Zurückgenommen' },
  codes: {
    ALREADY_RETRIED: 'Sie wurde schon wiederholt', EXECUTION_PRUNED: 'Sie ist nicht mehr im Verlauf',
    NOT_RETRYABLE: 'Sie ist nicht fehlgeschlagen oder Teil eines Flows',
    CONFLICT: 'Ihre Warteschlange hat den Job entfernt oder lässt sich nicht ändern',
    OBSERVED_ONLY: 'In einer bestehenden Warteschlange nicht möglich', EXECUTION_NOT_FOUND: 'Es gibt sie nicht mehr',
    NOT_CANCELLABLE: 'Zum Abbrechen war es zu spät',
    ARGUMENTS_NOT_KEPT: 'Ihre Argumente sind unvollständig: Wiederholen Sie sie einzeln, mit neuen',
    TASK_NOT_REGISTERED: 'Kein Prozess registriert ihre Aufgabe', FAILED_AGAIN: 'Sie ist inzwischen wieder fehlgeschlagen',
    FAILURE_GROUP_DECIDED: 'Jemand hat inzwischen darüber entschieden', FAILURE_GROUP_NOT_FOUND: 'Die Gruppe gibt es nicht mehr'
  },
  allOutcomes: 'Alle',
  outcome: 'Ergebnis',
  waits: {
    broker: 'Der Broker ist weg. Die Sammelaktion geht von selbst weiter, sobald er antwortet.',
    result_backend: 'Der Ergebnisspeicher ist weg. Die Sammelaktion geht von selbst weiter, sobald er antwortet.'
  },
  refuses: problem => `${problem}. Die Sammelaktion geht von selbst weiter, sobald das behoben ist.`,
  filterWords: {
    everything: 'alles',
    schedule: id => `Zeitplan ${id}`,
    worker: id => `Worker ${id}`,
    group: id => `Fehlergruppe ${id}`,
    took: length => `dauerte ${length} oder länger`,
    search: text => `Suche ${text}`,
    selected: selectedOf,
    until: time => `bis ${time}`
  },
  doneOf: (done, all) => `${done} von ${all}`,
  undoneSoFar: undone => `bisher ${undone} zurückgenommen`,
  undoneOf: (undone, all) => `${undone} von ${all} zurückgenommen`,
  itemsSoFar: count => counted(count, { one: 'Eintrag', other: 'Einträge' }),
  progress: 'Fortschritt',
  progressUnknown: 'unbekannt',
  cappedNote: 'Sie endete bei der größten Anzahl einer Sammelaktion. Es kann mehr Treffer geben.',
  facts: {
    created: 'Begonnen', by: 'Von', reason: 'Grund', filter: 'Filter', tasks: 'Aufgaben', rate: 'Tempo', before: 'Umfasst bis',
    changed: 'Zuletzt geändert', finished: 'Beendet', expires: 'Aufbewahrt bis', id: 'Kennung'
  },
  notChecked: 'Die Prüfung dauerte zu lange. Was nicht zutrifft, wenn es an der Reihe ist, bleibt unverändert.',
  selectedWereLeftOut: count => `${selectedOf(count)} ausgelassen: Wer die Sammelaktion begann, darf das nicht.`,
  matchesNow: 'Zeigen, was jetzt zutrifft',
  nobody: 'Niemand wurde erkannt',
  noReason: 'Kein Grund wurde angegeben',
  unlimited: 'so schnell, wie die Speicher es zulassen',
  perSecond: rate => `${formatInteger(rate)} je Sekunde`,
  tasksTouched: (count, leftOut) => `${tasksOf(count)}${leftOut === 0 ? '' : `, ${formatInteger(leftOut)} ausgelassen`}`,

  verbInDoubt: why => `Nicht bestätigt: Es kann geschehen sein oder noch geschehen. ${why}`,
  verbs: {
    suspend: {
      button: 'Anhalten', question: 'Diese Sammelaktion anhalten?', detail: 'Sie geht weiter, wenn jemand sie fortsetzt.',
      confirm: 'Anhalten', refused: why => `Nicht angehalten: ${why}`
    },
    resume: {
      button: 'Fortsetzen', question: 'Diese Sammelaktion fortsetzen?', detail: 'Sie geht dort weiter, wo sie aufgehört hat.',
      confirm: 'Fortsetzen', refused: why => `Nicht fortgesetzt: ${why}`
    },
    abort: {
      button: 'Beenden …', question: 'Diese Sammelaktion beenden?', detail: 'Sie endet für immer. Was sie getan hat, bleibt.',
      confirm: 'Endgültig beenden', refused: why => `Nicht beendet: ${why}`
    },
    undo: {
      button: 'Zurücknehmen …', question: 'Diese Sammelaktion zurücknehmen?',
      detail: 'Nimmt Wiederholungen zurück, die noch nicht laufen, und öffnet die erledigten Gruppen wieder. Was läuft, läuft weiter.',
      confirm: 'Zurücknehmen', refused: why => `Nicht zurückgenommen: ${why}`
    }
  },

  items: 'Einträge',
  loadingItems: 'Einträge werden geladen',
  noItems: 'Noch hat kein Eintrag ein Ergebnis.',
  endedWithoutItems: 'Vor dem Ende hatte kein Eintrag ein Ergebnis.',
  noItemsOf: 'Kein Eintrag mit diesem Ergebnis.',
  notListedYet: 'Die neuesten Ergebnisse sind noch nicht in der Liste.',
  lookForMore: 'Nach weiteren sehen',
  failureGroup: id => `Fehlergruppe ${id}`,
  taskUnknown: 'unbekannte Aufgabe'
}
