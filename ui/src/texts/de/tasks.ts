import { counted, formatInteger, formOf } from '../numbers.ts'
import { phrase } from '../phrase.ts'
import type { Texts } from '../texts.ts'

export const tasks: Texts['tasks'] = {
  title: 'Aufgaben',
  task: 'Aufgabe',
  count: count => counted(count, { one: 'Aufgabe', other: 'Aufgaben' }),
  countJobNames: count => `, ${counted(count, { one: 'Jobname', other: 'Jobnamen' })}`,
  jobNameOf: task => `Jobname, Teil von ${task}`,
  partOf: queue => phrase`Die Jobs eines Namens in ${queue}; dort sind sie mitgezählt.`,
  search: 'Aufgaben suchen',
  groupByPrefix: 'Nach Präfix gruppieren',
  withoutPrefix: 'Ohne Präfix',
  countWaiting: count => `, ${formatInteger(count)} wartend`,
  countWithoutWorker: count => `${formatInteger(count)} ohne Worker`,
  loading: 'Aufgaben werden geladen',
  noneMatches: 'Keine passende Aufgabe',
  showAll: 'Alle Aufgaben anzeigen',
  noneRegistered: 'Keine Aufgabe ist registriert',
  registerOne: start =>
    phrase`Registrieren Sie eine in einem Prozess der Queue-App. Sie erscheint in Sekunden oder nach dem Aufruf von ${start}.`,
  howToRegister: 'So registrieren Sie eine Aufgabe',

  types: {
    io: 'Läuft in der Ereignisschleife ihres Prozesses',
    cpu: 'Läuft in einem eigenen Prozess',
    external: 'Eine Warteschlange, die anderer Code füllt und abarbeitet'
  },
  columns: {
    type: 'Art', retries: 'Wdh.', delay: 'Pause', workers: 'Worker', backlog: 'Wartend', finished: 'Beendet',
    success: 'Erfolg', last: 'Letzter Lauf', schedules: 'Zeitpläne'
  },
  backlogTitle: 'Wartende Ausführungen, auch noch nicht fällige',
  p95Title: '95 von 100 Ausführungen dauerten in den letzten 24 Stunden höchstens so lange',
  nothingInDay: 'In den letzten 24 Stunden wurde nichts beendet',
  never: 'nie',
  limitReached: until => phrase`Begrenzung erreicht bis ${until} · `,
  none: 'keine',
  notRetried: 'Sie wird nicht wiederholt',
  noWorkerTitle: 'Derzeit führt kein Prozess diese Aufgabe aus',
  queueUnread: 'Die Warteschlange kann derzeit nicht gelesen werden',
  schedulesUnknown: 'Die Warteschlange kann derzeit nicht gelesen werden, oder sie hat mehr Zeitpläne, als gezeigt werden',
  countedByQueue: 'BullMQ zählt, was wartet und läuft, je Warteschlange und nicht je Name eines Jobs',
  workersOfOthers: 'Anderer Code arbeitet diese Warteschlange ab; seine Worker sind hier nicht bekannt',
  settingsOfOthers: 'Das entscheidet anderer Code, für jede Ausführung',
  otherCode: 'anderem Code',
  workersOnPhone: 'Worker',
  waitingOnPhone: 'wartend',
  waitAndRun: (pending, running) => `${formatInteger(pending)} wartend, ${formatInteger(running)} laufend`,
  succeededAndFailed: (success, failed) => `${formatInteger(success)} erfolgreich, ${formatInteger(failed)} fehlgeschlagen`,
  nothingFinishedYet: 'Bisher wurde nichts beendet',

  facts: {
    retries: 'Wiederholung', running: 'Laufend', took: 'Dauer', waited: 'Wartezeit', timeout: 'Zeitlimit', rateLimit: 'Begrenzung',
    runsIn: 'Läuft in', queue: 'Warteschlange', firstSeen: 'Zuerst'
  },
  atOnce: count => `je ${formatInteger(count)} gleichzeitig`,
  oldestDueSince: span => `die älteste ist seit ${span} fällig`,
  ofCount: count => `von ${formatInteger(count)}`,
  afterDelay: delay => `nach ${delay}`,
  reachedUntil: until => phrase` erreicht bis ${until}`,
  ownProcess: 'einem eigenen Prozess',
  workerProcess: 'dem Prozess ihres Workers',
  percentilesTitle: 'Perzentile der letzten 24 Stunden',

  delayTo: (least, most) => `${least} bis ${most}`,
  delayGrows: (first, most) => `${first} vor dem zweiten Versuch, nach jedem Fehlschlag doppelt so lange, höchstens ${most}`,
  delayStays: delay => `${delay} vor jedem weiteren Versuch`,
  lessByChance: (delay, percent) => `${delay}; zufällig bis zu ${formatInteger(percent)} % weniger`,
  rateLimit: (count, span) => `${formatInteger(count)} je ${span}`,
  rateLimitTitle: (count, span) =>
    `Ratenbegrenzung: Über alle Prozesse ${formOf(count, { one: 'startet', other: 'starten' })} höchstens ` +
      `${counted(count, { one: 'Versuch', other: 'Versuche' })} in ${span}. Fällige Ausführungen warten.`,

  allItsExecutions: 'Alle Ausführungen',
  notRegistered: 'Kein Prozess hat diese Aufgabe registriert',
  stillInHistory: 'Frühere Ausführungen stehen noch im Verlauf.',
  all: 'Alle Aufgaben',
  theTask: 'Diese Aufgabe',
  loadingOne: 'Aufgabe wird geladen',
  noWorker: 'Derzeit führt kein Prozess diese Aufgabe aus.',
  enqueuedWaits: 'Eingereihtes wartet, bis einer es tut.',
  hasNotRun: 'Bisher nicht ausgeführt, oder nichts davon ist aufbewahrt.',
  thatFailed: 'Fehlgeschlagene',
  allGroups: count => `Alle ${count} Gruppen`,
  itsFailures: 'Fehlschläge der Aufgabe',
  hasNotFailed: 'Kein Fehlschlag in den letzten 24 Stunden.',
  knownSince: at => phrase`bekannt seit ${at}`,
  nothingCounted: 'In diesem Zeitraum wurde nichts gezählt.',
  succeededHourly: 'Erfolgreich, Stunde für Stunde',
  failedHourly: 'Fehlgeschlagen, Stunde für Stunde',
  theLastDay: 'Die letzten 24 Stunden',
  loadingLastDay: 'Die letzten 24 Stunden werden geladen',
  noSchedule: 'Kein Zeitplan startet diese Aufgabe.',
  moreSchedules: 'Weitere Zeitpläne',
  countMoreSchedules: count => counted(count, { one: 'weiterer Zeitplan', other: 'weitere Zeitpläne' })
}
