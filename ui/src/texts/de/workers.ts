import { counted, formatInteger } from '../numbers.ts'
import { phrase } from '../phrase.ts'
import type { Texts } from '../texts.ts'

export const workers: Texts['workers'] = {
  title: 'Worker',
  worker: 'Worker',
  queues: 'Warteschlangen',
  queue: 'Warteschlange',
  count: count => counted(count, { one: 'Worker', other: 'Worker' }),
  countTroubled: count => `${formatInteger(count)} mit einem Problem`,
  countSilent: count => `${formatInteger(count)} verstummt`,
  search: 'Worker und Warteschlangen suchen',
  loading: 'Worker werden geladen',
  loadingQueues: 'Warteschlangen werden geladen',
  noneMatches: 'Kein passender Worker',
  showAll: 'Alle Worker anzeigen',
  noQueueMatches: 'Keine passende Warteschlange',
  showAllQueues: 'Alle Warteschlangen anzeigen',
  none: 'Kein Prozess führt Aufgaben aus',
  ofOthers: 'Anderer Code arbeitet diese Warteschlange ab; seine Worker sind hier nicht bekannt',
  notKnown: 'Worker sind nicht bekannt',
  notKnownDetail: 'Dieses Dashboard beobachtet Warteschlangen von anderem Code. Dessen Prozesse melden sich hier nicht.',
  startOne:
    'Eingereihte Ausführungen warten bis dahin. Starten Sie einen Prozess, der Aufgaben registriert. Er erscheint hier in Sekunden.',
  howToStart: 'So starten Sie einen Worker',
  noQueue: 'Jede registrierte Aufgabe hat eine Warteschlange. Keine Aufgabe ist registriert.',

  states: { alive: 'Aktiv', silent: 'Verstummt', refused: 'Abgewiesen', stopping: 'Endet' },
  queueStates: { running: 'Läuft', paused: 'Angehalten', noWorker: 'Kein Worker' },
  columns: {
    state: 'Zustand', running: 'Führt aus', tasks: 'Aufgaben', started: 'Gestartet', memory: 'Speicher', version: 'Version',
    seen: 'Gesehen'
  },
  queueColumns: {
    state: 'Zustand', pending: 'Wartend', running: 'Laufend', utilisation: 'Auslastung', oldest: 'Älteste', pace: 'Je Minute',
    trend: '24 Stunden', workers: 'Worker', rate: 'Begrenzung'
  },
  pause: {
    column: 'Begrenzen, anhalten oder fortsetzen', list: 'Angehaltene Warteschlangen', paused: 'Angehalten', pauseIt: 'Anhalten …',
    resumeIt: 'Fortsetzen …',
    pauseOf: task => `Warteschlange von ${task} anhalten…`,
    resumeOf: task => `Warteschlange von ${task} fortsetzen…`,
    pausedBy: who => phrase` von ${who}`,
    pausedByOther: ' von anderem Code; von wem und wann, ist nicht bekannt',
    pausedSince: since => phrase`, seit ${since}`,
    pausedUntil: until => phrase`, bis ${until}`,
    pausedBecause: reason => phrase`: ${reason}`,
    waiting: count => `${counted(count, { one: 'Ausführung wartet', other: 'Ausführungen warten' })}.`,
    more: count => `Und ${counted(count, { one: 'weitere Warteschlange', other: 'weitere Warteschlangen' })}.`
  },
  limit: {
    list: 'Begrenzte Warteschlangen', limitIt: 'Begrenzen …',
    limitOf: task => `Warteschlange von ${task} begrenzen…`,
    atOnce: (count, inCode) =>
      `${formatInteger(count)} gleichzeitig${inCode === null ? '' : ` (laut Code ${formatInteger(inCode)})`}`,
    rate: (words, inCode) => `${words} (laut Code ${inCode ?? 'keine Rate'})`
  },
  runningTitle: 'Stand der letzten Meldung',
  memoryTitle: 'Arbeitsspeicher des Prozesses, ohne die Prozesse von cpu-Aufgaben',
  pendingTitle: 'Wartende Ausführungen, auch noch nicht fällige',
  utilisationTitle: 'Anteil an dem, was alle Worker gleichzeitig ausführen dürfen',
  oldestTitle: 'Wie lange die älteste fällige Ausführung schon wartet',
  paceTitle: 'Beendete Ausführungen je Minute, seit Beginn der vorigen Stunde',
  trend: 'Beendete Ausführungen je Stunde der letzten 24 Stunden, älteste zuerst',

  executionsOf: worker => `Ausführungen von ${worker}`,
  notReported: 'Die Version dieses Workers meldet das nicht',
  earlierVersion: 'frühere Version',
  nothing: 'nichts',
  runs: count => counted(count, { one: 'Ausführung', other: 'Ausführungen' }),
  whenLastSeen: running => `zuletzt ${running}`,
  andMore: count => ` und ${formatInteger(count)} weitere`,
  andMoreTasks: count => `und ${formatInteger(count)} weitere`,
  execution: id => `Ausführung ${id}`,
  atOnce: (task, count) => `${task} (${formatInteger(count)} gleichzeitig)`,
  onNode: version => `Mit Node ${version}`,
  queueTitle: name => `Warteschlange ${name}`,
  waitingOnPhone: 'wartend',
  runningOnPhone: 'laufend',
  concurrencyUnknown: 'Die Version eines Workers meldet nicht, wie viel er gleichzeitig ausführt',
  noWorker: 'Kein Worker führt diese Aufgabe aus',
  runningOf: (running, concurrency) => `${formatInteger(running)} von ${formatInteger(concurrency)} laufen`,
  noneDue: 'keine',
  noLimit: 'keine',
  reachedUntil: until => phrase`erreicht bis ${until}`,
  show: 'Diesen Worker anzeigen'
}
