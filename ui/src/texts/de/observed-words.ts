/** A sentence of the server, and its translation. */
export type Said = readonly [english: RegExp, german: string | ((...found: string[]) => string)]

/** Messages of the health check about observed queues, and about their schedules. */
export const OF_OBSERVED: readonly Said[] = [
  [/^1 event of the queue (.*) was removed before it could be read, between (\S+) and (\S+): .*$/s,
    '1 Ereignis der Warteschlange $1 wurde zwischen $2 und $3 entfernt, bevor es gelesen werden konnte: Was damals endete, kann fehlen'],
  [/^(\d{1,12}|An unknown number of) events of the queue (.*) were removed before they could be read, between (\S+) and (\S+): .*$/s,
    (_, count = '', queue, from, to) => `${count.startsWith('An') ? 'Unbekannt viele' : count} Ereignisse der Warteschlange ${queue} ` +
      `wurden zwischen ${from} und ${to} entfernt, bevor sie gelesen werden konnten: Was damals endete, kann fehlen`],
  [/^The queue (.*) was removed from its server, or the server was flushed, between (\S+) and (\S+): [^.]*$/s,
    'Die Warteschlange $1 wurde zwischen $2 und $3 vom Server entfernt, oder der Server wurde geleert: Was damals endete, kann fehlen'],
  [/^The queue (.*) was removed from its server, or the server was flushed, between (\S+) and (\S+): [^.]*\. At the last check, (\S+), it had (.*)$/s,
    (_, queue, from, to, at, counts = '') => `Die Warteschlange ${queue} wurde zwischen ${from} und ${to} vom Server entfernt, oder der ` +
      `Server wurde geleert: Was damals endete, kann fehlen. Bei der letzten Prüfung, ${at}, hatte sie ${inGerman(counts)}`],
  [/^The server lost events of the queue (.*) that it had before, between (\S+) and (\S+): .*$/s,
    'Der Server hat zwischen $2 und $3 Ereignisse der Warteschlange $1 verloren, die er schon hatte: Was damals endete, kann fehlen'],
  [/^Another server took over the queue (.*), between (\S+) and (\S+): .*$/s,
    'Ein anderer Server hat zwischen $2 und $3 die Warteschlange $1 übernommen: Was damals endete, kann fehlen'],
  [/^executions may also be missing of 1 other queue$/, 'auch von 1 anderen Warteschlange können Ausführungen fehlen'],
  [/^executions may also be missing of (\d{1,9}) other queues$/, 'auch von $1 anderen Warteschlangen können Ausführungen fehlen'],
  [/^Lost events of the queue (.*) go unnoticed \((.*)\)$/s, (_, queues = '', reason) =>
    `Verlorene Ereignisse der Warteschlange ${queues.replace(/ and of (\d{1,9}) others?$/, ' und $1 weiterer')} bleiben unbemerkt ` +
      `(${reason})`],
  [/^The result backend refused 1 execution while it took others, so it is missing in the history: (.*)$/s,
    'Der Ergebnisspeicher hat 1 Ausführung abgelehnt und andere angenommen, also fehlt sie im Verlauf: $1'],
  [/^The result backend refused (\d{1,12}) executions while it took others, so they are missing in the history, the last one (.*)$/s,
    'Der Ergebnisspeicher hat $1 Ausführungen abgelehnt und andere angenommen, also fehlen sie im Verlauf, zuletzt $2'],
  [/^(\d{1,12}) jobs? could not be read although the server answers, so the history has only what their events tell, the last one (.*)$/s,
    (_, count, last) => `${count} ${count === '1' ? 'Job war' : 'Jobs waren'} nicht lesbar, obwohl der Server antwortet, also kennt der ` +
      `Verlauf nur ihre Ereignisse, zuletzt ${last}`],
  [/^The events of the queue (.*) cannot be read \((.*)\), so jobs that it removes on completion are missing$/s,
    'Die Ereignisse der Warteschlange $1 sind nicht lesbar ($2), also fehlen Jobs, die sie nach dem Ende löscht'],
  [/^The key (.*) is not of the type that BullMQ keeps there, so what it should say about the queue (.*) is not known$/s,
    'Der Schlüssel $1 hat nicht den Typ, den BullMQ dort ablegt, also ist nicht bekannt, was er über die Warteschlange $2 sagen sollte'],
  [/^the same of 1 other key$/, 'dasselbe bei 1 anderen Schlüssel'],
  [/^the same of (\d{1,9}) other keys$/, 'dasselbe bei $1 anderen Schlüsseln'],
  [/^Queues at (\S+) under the prefix (".*") cannot be looked for \((.*)\)$/s,
    'Warteschlangen mit dem Präfix $2 bei $1 können nicht gesucht werden ($3)'],
  [/^Queues at (.*) cannot be looked for \((.*)\)$/s, 'Warteschlangen bei $1 können nicht gesucht werden ($2)'],
  [/^What queues at (.*) hold is not known, because a key cannot be read: (.*) \((.*)\)\. Give the user the rights in (\S+)$/s,
    (_, label, names = '', reason, place) => `Was Warteschlangen bei ${label} enthalten, ist nicht bekannt, weil ein Schlüssel nicht ` +
      `lesbar ist: ${andMore(names)} (${reason}). Geben Sie dem Benutzer die Rechte aus ${place}`],
  [/^What queues at (.*) hold is not known, because (.*)\. Give the user the rights in (\S+), or restore the command$/s,
    (_, label, reason = '', place) => `Was Warteschlangen bei ${label} enthalten, ist nicht bekannt, weil ${refusedInGerman(reason)}. ` +
      `Geben Sie dem Benutzer die Rechte aus ${place}, oder stellen Sie den Befehl wieder her`],
  [/^Both BullMQ 5 and 6 have put jobs into the queues? (.*) at (.*) during a pause: .*$/s, (_, names = '', label) =>
    `BullMQ 5 und BullMQ 6 haben während einer Pause Jobs in diese Warteschlangen bei ${label} gelegt: ${andMore(names)}. Wenn Version 5 ` +
      'sie jetzt anhält oder fortsetzt, verwirft sie Jobs. Setzen Sie sie mit Version 6 fort, und bringen Sie allen Code auf eine Version'],
  [/^In the last 24 hours, both BullMQ 5 and 6 used the queues? (.*) at (.*)\. If both still do, .*$/s, (_, names = '', label) =>
    `In den letzten 24 Stunden haben BullMQ 5 und BullMQ 6 diese Warteschlangen bei ${label} benutzt: ${andMore(names)}. Wenn es beide ` +
      'noch tun, verwirft Version 5 Jobs, wenn sie sie anhält oder fortsetzt: Lassen Sie das nur Version 6 tun, und bringen Sie allen ' +
      'Code auf eine Version'],
  [/^(?:1 queue|(\d{1,12}) queues) at (.*) ha(?:s a name|ve names) that cannot be shown: over (\d{1,9}) characters, or unprintable$/s,
    (_, count = '1', label, length) => `${count === '1' ? '1 Warteschlange' : `${count} Warteschlangen`} bei ${label}: Der Name kann ` +
      `nicht gezeigt werden, weil er mehr als ${length} Zeichen oder nicht druckbare hat`],
  [/^Existing queues are not shown because tasks of this app have their names: (.*)\. Give their source a `label`$/s, (_, names = '') =>
    'Bestehende Warteschlangen werden nicht gezeigt, weil Aufgaben dieser App so heißen: ' +
      `${andMore(names).replaceAll('" at ', '" bei ')}. Geben Sie ihrer Quelle ein \`label\``],
  [/^Only 1 queue at (\S+) is shown, and there may be more: name those that you need in `queues`$/s,
    'Nur 1 Warteschlange bei $1 wird gezeigt, und es kann mehr geben: Nennen Sie die benötigten in `queues`'],
  [/^Only (\d{1,12}) queues at (\S+) are shown, and there may be more: name those that you need in `queues`$/s,
    'Nur $1 Warteschlangen bei $2 werden gezeigt, und es kann mehr geben: Nennen Sie die benötigten in `queues`'],
  [/^Queues are not shown because the user at (\S+) may not read them: (.*) \((.*)\)\. Give the user the rights in (\S+)$/s,
    (_, label, names = '', reason, place) => `Warteschlangen werden nicht gezeigt, weil der Benutzer bei ${label} sie nicht lesen darf: ` +
      `${andMore(names)} (${reason}). Geben Sie ihm die Rechte aus ${place}`],
  [/^There is no queue under the prefix (".*") at (\S+), nor under any other: is it the right server and database\?$/s,
    'Es gibt keine Warteschlange mit dem Präfix $1 bei $2 und keine mit einem anderen: Stimmen Server und Datenbank?'],
  [/^There is no queue under the prefix (".*") at (\S+), but (.*): set `prefix`$/s,
    'Es gibt keine Warteschlange mit dem Präfix $1 bei $2, aber $3: Setzen Sie `prefix`'],
  [/^There is no queue (.*) under the prefix (".*") at (\S+) yet$/s, (_, names = '', prefix, label) =>
    `Es gibt noch keine Warteschlange ${andMore(names)} mit dem Präfix ${prefix} bei ${label}`],
  [/^some queues cannot be shown$/, 'manche Warteschlangen können nicht gezeigt werden'],
  [/^some queues belong to two versions of BullMQ, which can lose jobs$/,
    'manche Warteschlangen gehören zwei Versionen von BullMQ, die Jobs verlieren können'],
  [/^its upkeep has problems$/, 'seine Pflege hat Probleme'],
  [/^executions of some queues may be missing$/, 'von manchen Warteschlangen können Ausführungen fehlen'],
  // Schedules of observed queues.
  [/^A repeatable job from before BullMQ had job schedulers: it is shown and left alone$/,
    'Ein wiederholter Job aus der Zeit vor den Job-Schedulern von BullMQ: Er wird gezeigt und nicht angerührt'],
  [/^It has ended$/, 'Er ist beendet'],
  [/^No run is planned, so it runs again only after its owner has called upsertJobScheduler$/,
    'Kein Lauf ist geplant: Er läuft erst wieder, wenn sein Eigentümer upsertJobScheduler aufgerufen hat'],
  [/^Only the code of its owner can read this rule, so missed runs are not known$/,
    'Nur der Code des Eigentümers versteht diese Regel, daher sind Ausfälle nicht bekannt'],
  [/^The time zone of its owner is not known, so missed runs are not known$/,
    'Die Zeitzone des Eigentümers ist nicht bekannt, daher sind Ausfälle nicht bekannt'],
  [/^Its owner named no time zone: (\S+) fits its next run$/, 'Der Eigentümer nannte keine Zeitzone: Zum nächsten Lauf passt $1'],
  [/^the schedulers of some queues cannot be read$/, 'die Job-Scheduler mancher Warteschlangen sind nicht lesbar'],
  [/^1 job scheduler is not shown: 1,000 of a queue and 10,000 in all are$/,
    '1 Job-Scheduler wird nicht gezeigt, sondern 1.000 je Warteschlange und 10.000 insgesamt'],
  [/^(\d{1,12}) job schedulers are not shown: 1,000 of a queue and 10,000 in all are$/,
    '$1 Job-Scheduler werden nicht gezeigt, sondern 1.000 je Warteschlange und 10.000 insgesamt'],
  [/^Jobs of (\d{1,9}) queues? have more names than are shown, (\d+) of a queue and (\d+) in all: the others stay with the task of their queue \((.*)\)$/s,
    (_, count, each, all, names) => `Jobs von ${count} ${count === '1' ? 'Warteschlange' : 'Warteschlangen'} haben mehr Namen, als ` +
      `gezeigt werden, ${each} je Warteschlange und ${all} insgesamt: Die übrigen bleiben bei der Aufgabe ihrer Warteschlange (${names})`],
  [/^The schedule (.*) cannot be kept as a person set it \((.*)\)$/s,
    'Der Zeitplan $1 lässt sich nicht so halten, wie ihn jemand eingestellt hat ($2)']
]

/** The end of a list whose other items are only counted. */
function andMore(names: string): string {
  return names.replace(/ and (\d{1,9}) more$/, ' und $1 weitere')
}

function refusedInGerman(reason: string): string {
  return reason.replace(/^its user may not run (.*)$/s, 'der Benutzer $1 nicht ausführen darf')
    .replace(/^it does not know (.*)$/s, 'der Server $1 nicht kennt')
    .replace(/^it does not allow a command$/, 'der Server einen Befehl nicht erlaubt')
}

function inGerman(counts: string): string {
  return counts.replace('waiting:', 'wartend:').replace('running:', 'laufend:').replace('schedules:', 'Zeitpläne:')
}
