import type { Texts } from '../texts.ts'
import { counted, formatInteger } from '../numbers.ts'
import { phrase } from '../phrase.ts'

export const why: Texts['why'] = {
  title: 'Warum sie nicht läuft',
  loading: 'Der Grund wird geladen',
  notLoaded: message => `Warum sie nicht läuft, ließ sich nicht laden: ${message}`,

  delayed: (due, clock) => phrase`Sie ist noch nicht fällig: ${due}, ${clock}.`,
  planned: (due, clock, schedule) => phrase`${schedule} plant sie: ${due}, ${clock}.`,
  itsSchedule: 'Ihr Zeitplan',
  retrying: (attempt, most, due, clock) =>
    phrase`Versuch ${formatInteger(attempt)} von ${formatInteger(most)} schlug fehl. Sie wartet auf den nächsten: ${due}, ${clock}.`,
  waitingChildren: count => count === null
    ? 'Sie wartet auf Ausführungen, von denen sie abhängt.'
    : `Sie wartet auf ${counted(count, { one: 'Ausführung, von der', other: 'Ausführungen, von denen' })} sie abhängt.`,
  itsQueue: pause => phrase`Ihre Warteschlange: ${pause}.`,
  noWorker: 'Kein Prozess führt diese Aufgabe aus: Starten Sie einen, der sie registriert.',
  workersUnavailable: states => `Kein Prozess nimmt diese Aufgabe an: ${states}.`,
  stopping: count => counted(count, { one: 'Prozess endet', other: 'Prozesse enden' }),
  silent: count => counted(count, { one: 'Prozess ist verstummt', other: 'Prozesse sind verstummt' }),
  refused: count => `${counted(count, { one: 'Prozess wird', other: 'Prozesse werden' })} vom Broker abgewiesen`,
  concurrencyLimit: (running, limit) =>
    `Ihre Warteschlange ist voll: ${formatInteger(running)} laufen, und sie erlaubt ${formatInteger(limit)} zugleich in allen Prozessen.`,
  rateLimited: (limit, due, clock) => phrase`Die Ratenbegrenzung von ${limit} ist erreicht: ${due}, ${clock}.`,
  rate: (max, length) => length === null ? formatInteger(max) : `${formatInteger(max)} pro ${length}`,
  behind: link => phrase`${link} vor ihr.`,
  ahead: (count, isExact) =>
    `${isExact ? '' : 'Mindestens '}${counted(count, { one: 'Ausführung startet', other: 'Ausführungen starten' })}`,
  pace: (rate, length, isExact) => ` Bei ${rate} pro Minute dauert das ${isExact ? 'etwa' : 'mindestens'} ${length}.`,
  priority: priority => ` Sie hat Priorität ${formatInteger(priority)}: Ausführungen ohne oder mit kleinerer Zahl laufen zuerst.`,
  workersBusy: (workers, concurrency) => workers === 1
    ? `Der Prozess mit dieser Aufgabe führt so viele aus, wie er darf (${formatInteger(concurrency)}).`
    : `Alle ${formatInteger(workers)} Prozesse mit dieser Aufgabe führen so viele aus, wie sie dürfen ` +
      `(zusammen ${formatInteger(concurrency)}).`,
  workerLost: (worker, due, clock) =>
    phrase`Ihr Prozess ${worker} meldet sich nicht mehr. Ein anderer kann sie nehmen, wenn die Sperre endet: ${due}, ${clock}.`,
  lastSeen: when => phrase` Zuletzt gesehen: ${when}.`,
  stalled: 'Ihr Prozess gab kein Lebenszeichen, und seine Sperre ist abgelaufen. Der nächste Prozess, der nach verlorenen Ausführungen ' +
    'sucht, holt sie zurück.',
  cancelling: (who, when) => phrase`Ihr Handler wurde gebeten anzuhalten${who}, ${when}.`,
  by: who => phrase`, von ${who}`,
  brokerAway: {
    unreachable: 'Der Broker antwortet nicht: Nichts startet, und wo diese Ausführung steht, ist nicht bekannt.',
    refused: 'Der Broker lehnt Anfragen ab: Nichts startet, und wo diese Ausführung steht, ist nicht bekannt.'
  },
  backendAway: {
    unreachable: 'Der Ergebnisspeicher antwortet nicht: Ob diese Ausführung beendet ist, ist nicht bekannt.',
    refused: 'Der Ergebnisspeicher lehnt Anfragen ab: Ob diese Ausführung beendet ist, ist nicht bekannt.'
  },
  unknown: 'Nichts Bekanntes hält sie auf. Sie kann jeden Augenblick starten.',
  free: (workers, free) =>
    ` ${counted(workers, { one: 'Prozess könnte', other: 'Prozesse könnten' })} ${formatInteger(free)} weitere ausführen.`,

  workers: 'Worker',
  queues: 'Warteschlangen',
  health: 'Zustand'
}
