/** A sentence of the server, and its translation. */
export type Said = readonly [english: RegExp, german: string | ((...found: string[]) => string)]

/** Messages of the health check about observed queues, and about their schedules. */
export const OF_OBSERVED: readonly Said[] = [
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
  [/^the same in (\d{1,9}) other queues$/, 'dasselbe in $1 anderen Warteschlangen'],
  [/^The result backend refused (\d{1,12}) executions while it took others, so they are missing in the history, the last one (.*)$/s,
    'Der Ergebnisspeicher hat $1 Ausführungen abgelehnt und andere angenommen, also fehlen sie im Verlauf, zuletzt $2'],
  [/^(\d{1,12}) jobs? could not be read although the server answers, so the history has only what their events tell, the last one (.*)$/s,
    (_, count, last) => `${count} ${count === '1' ? 'Job war' : 'Jobs waren'} nicht lesbar, obwohl der Server antwortet, also kennt der ` +
      `Verlauf nur ihre Ereignisse, zuletzt ${last}`],
  [/^The events of the queue (.*) cannot be read \((.*)\), so jobs that it removes on completion are missing$/s,
    'Die Ereignisse der Warteschlange $1 sind nicht lesbar ($2), also fehlen Jobs, die sie nach dem Ende löscht'],
  [/^The key (.*) is not of the type that BullMQ keeps there, so what it should tell of the queue (.*) is not known$/s,
    'Der Schlüssel $1 hat nicht den Typ, den BullMQ dort ablegt, also ist nicht bekannt, was er über die Warteschlange $2 sagen sollte'],
  [/^the same of (\d{1,9}) other keys$/, 'dasselbe bei $1 anderen Schlüsseln'],
  [/^Queues at (.*) cannot be looked for \((.*)\)$/s, 'Warteschlangen bei $1 können nicht gesucht werden ($2)'],
  [/^Only (\d{1,12}) queues at (\S+) are shown, and there may be more: name those that you need in `queues`$/s,
    'Nur $1 Warteschlangen bei $2 werden gezeigt, und es kann mehr geben: Nennen Sie die benötigten in `queues`'],
  [/^Queues are not shown because the user at (\S+) may not read them: (.*) \((.*)\)\. Give the user the rights in (\S+)$/s,
    'Warteschlangen werden nicht gezeigt, weil der Benutzer bei $1 sie nicht lesen darf: $2 ($3). Geben Sie ihm die Rechte aus $4'],
  [/^There is no queue under the prefix (".*") at (\S+), nor under any other: is it the right server and database\?$/s,
    'Es gibt keine Warteschlange mit dem Präfix $1 bei $2 und keine mit einem anderen: Stimmen Server und Datenbank?'],
  [/^There is no queue under the prefix (".*") at (\S+), but (.*): set `prefix`$/s,
    'Es gibt keine Warteschlange mit dem Präfix $1 bei $2, aber $3: Setzen Sie `prefix`'],
  [/^There is no queue (.*) under the prefix (".*") at (\S+) yet$/s, 'Es gibt noch keine Warteschlange $1 mit dem Präfix $2 bei $3'],
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
  [/^(\d{1,12}) job schedulers are not shown: 1,000 of a queue and 10,000 in all are$/,
    '$1 Job-Scheduler werden nicht gezeigt, sondern 1.000 je Warteschlange und 10.000 insgesamt'],
  [/^Jobs of (\d{1,9}) queues have more names than are shown, (\d+) of a queue and (\d+) in all: the others stay with the task of their queue \((.*)\)$/s,
    'Jobs von $1 Warteschlangen haben mehr Namen, als gezeigt werden, $2 je Warteschlange und $3 insgesamt: Die übrigen bleiben bei der ' +
      'Aufgabe ihrer Warteschlange ($4)'],
  [/^The schedule (.*) cannot be kept as a person set it \((.*)\)$/s,
    'Der Zeitplan $1 lässt sich nicht so halten, wie ihn jemand eingestellt hat ($2)']
]

function inGerman(counts: string): string {
  return counts.replace('waiting:', 'wartend:').replace('running:', 'laufend:').replace('schedules:', 'Zeitpläne:')
}
