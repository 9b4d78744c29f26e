import type { Texts } from '../texts.ts'

export const actions: Texts['actions'] = {
  notConfirmed: 'Nicht bestätigt',
  mayBeEnqueued: 'Nicht bestätigt: Der Lauf wurde vielleicht eingereiht oder wird es noch.',
  askAgainDetail: 'Fragen Sie erneut an: Es ist dieselbe Anfrage, eingereiht wird höchstens einmal. Oder suchen Sie ihn im Verlauf.',
  askAgain: 'Erneut anfragen',
  leaveIt: 'Dabei belassen',
  notNow: 'Nicht jetzt',
  enqueueing: 'Wird eingereiht …',
  enqueued: 'Eingereiht:',
  notRun: why => `Nicht ausgeführt: ${why}`,

  retry: 'Wiederholen …',
  retryQuestion: 'Wiederholen?',
  retryDetail: 'Sie läuft als neue Ausführung noch einmal, mit denselben Argumenten. Diese bleibt im Verlauf, wie sie ist.',
  retryDetailEdited: 'Sie läuft als neue Ausführung noch einmal, mit diesen Argumenten. Diese bleibt im Verlauf, wie sie ist.',
  alreadyRetried: 'Jemand hat sie schon wiederholt:',
  retryIt: 'Wiederholen',
  editArguments: 'Argumente ändern',
  ownArguments: 'Ihre eigenen Argumente verwenden',
  argumentsLabel: 'Argumente, ein JSON-Array',
  notAnArray: 'Das ist kein JSON-Array.',
  hiddenValues: 'Ersetzen Sie jedes [redacted] durch den wirklichen Wert.',
  cutArguments: 'Nur der Anfang der Argumente wurde aufbewahrt, deshalb sind sie nicht eingetragen.',

  runTask: 'Ausführen …',
  runTaskTitle: 'Diese Aufgabe ausführen',
  runAgain: 'Noch eine ausführen',
  runIt: 'Ausführen',
  priority: 'Priorität',
  priorityNote: '0 heißt keine und läuft zuerst, dann 1 (am dringendsten) aufwärts',
  delay: 'Verzögerung in Sekunden',
  outOfRange: most => `Eine ganze Zahl von 0 bis ${most}.`,
  close: 'Schließen',
  cancel: 'Abbrechen'
}
