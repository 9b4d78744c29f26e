import { OF_OBSERVED, type Said } from './observed-words.ts'

/** The fields of a cron expression, in the genitive with an article. */
const CRON_FIELDS: Readonly<Record<string, string>> = {
  minute: 'der Minute', hour: 'der Stunde', 'day of month': 'des Monatstags', month: 'des Monats', 'day of week': 'des Wochentags'
}
const fieldOf = (name: string): string => CRON_FIELDS[name] ?? name

/** What the server says about a field, after its name. Texts that are not here stay in English. */
const OF_FIELDS: readonly Said[] = [
  [/^It is a repeatable job from before BullMQ had job schedulers, which is left alone$/,
    'Er ist ein wiederholter Job aus der Zeit vor den Job-Schedulern von BullMQ und bleibt unberührt'],
  [/^Its queue is on PostgreSQL, where job schedulers are changed and run only by the code that owns them$/,
    'Seine Warteschlange ist auf PostgreSQL, wo nur der Code des Eigentümers Job-Scheduler ändert und ausführt'],
  [/^Its runs have a deduplication key, which only its owner can keep right$/,
    'Seine Läufe haben einen Deduplizierungsschlüssel, den nur der Eigentümer richtig halten kann'],
  [/^Its runs are in a group of BullMQ Pro$/, 'Seine Läufe gehören zu einer Gruppe von BullMQ Pro'],
  [/^Its queue does not have it any more$/, 'Seine Warteschlange hat ihn nicht mehr'],
  [/^Its run is just beginning, or it has lost its next run: try again, or let its owner call upsertJobScheduler$/,
    'Sein Lauf beginnt gerade, oder der nächste ist verloren: Erneut versuchen, oder der Eigentümer ruft upsertJobScheduler auf'],
  [/^Its owner has just changed it: try again$/, 'Der Eigentümer hat ihn gerade geändert: Versuchen Sie es erneut'],
  [/^Its next run is part of a flow$/, 'Sein nächster Lauf ist Teil eines Flows'],
  [/^Other sessions are using its tables, for example a backup: try again$/,
    'Andere Sitzungen benutzen seine Tabellen, etwa eine Sicherung: Versuchen Sie es erneut'],
  [/^Its owner is constantly changing it: try again$/, 'Der Eigentümer ändert ihn ständig: Versuchen Sie es erneut'],
  [/^Its queue already has jobs for its next runs$/, 'Seine Warteschlange hat schon Jobs für seine nächsten Läufe'],
  [/^It has ended, so there is no run to plan$/, 'Er ist beendet, daher ist kein Lauf zu planen'],
  [/^Only the code of its owner can tell when it runs next$/, 'Nur der Code des Eigentümers weiß, wann er als Nächstes läuft'],
  [/^The options of its runs are too large to be read$/, 'Die Optionen seiner Läufe sind zu groß, um gelesen zu werden'],
  // Of the schemas.
  [/^is missing$/, 'fehlt'],
  [/^is not known$/, 'ist nicht bekannt'],
  [/^is not valid$/, 'ist ungültig'],
  [/^has characters that are not allowed$/, 'enthält Zeichen, die nicht erlaubt sind'],
  [/^must be one of (.*)$/s, 'muss eines von diesen sein: $1'],
  [/^must be (string|number|integer|boolean|object|array|null)((?:,[a-z]+)*)$/, (_, first = '', others = '') =>
    `muss ${[first, ...others.split(',')].filter(Boolean).map(type => TYPES[type] ?? type).join(' oder ')} sein`],
  [/^must (?:match format "(.*)"|be a valid (.*))$/, (_, format = '', other = '') => `muss die Form „${format || other}“ haben`],
  [/^must NOT have fewer than (\d+) characters$/, 'muss mindestens $1 Zeichen haben'],
  [/^must NOT have more than (\d+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must NOT have fewer than (\d+) items$/, 'muss mindestens $1 Einträge haben'],
  [/^must NOT have more than (\d+) items$/, 'darf höchstens $1 Einträge haben'],
  [/^must NOT have fewer than (\d+) properties$/, 'muss mindestens $1 Angaben haben'],
  [/^must NOT have duplicate items .*$/s, 'darf keinen Eintrag zweimal haben'],
  [/^must be >= (.*)$/, 'muss mindestens $1 sein'],
  [/^must be <= (.*)$/, 'darf höchstens $1 sein'],
  [/^must be equal to constant$/, 'muss der eine Wert sein, der hier möglich ist'],
  [/^must match a schema in anyOf$/, 'passt zu keiner der möglichen Formen'],
  // Of arguments.
  [/^must be an array of at most (.*) items$/, 'muss eine Liste von höchstens $1 Einträgen sein'],
  [/^must be plain JSON: (.*)$/s, 'muss reines JSON sein: $1'],
  [/^must be at most (.*) bytes as JSON$/, 'darf als JSON höchstens $1 Bytes haben'],
  [/^must not contain (.*), which replaces? hidden values: send the real values$/,
    'darf nicht $1 enthalten, das für verborgene Werte steht: Senden Sie die echten Werte'],
  [/^must not contain (.*) or (.*), which replace hidden values; leave args out to keep them, or send the real values$/,
    'darf weder $1 noch $2 enthalten, die für verborgene Werte stehen: Lassen Sie args weg, um sie zu behalten, oder senden Sie die ' +
    'echten Werte'],
  // Of observed queues.
  [/^must be absent: a job of an existing queue is retried with its own data$/,
    'muss fehlen: Ein Job einer bestehenden Warteschlange läuft mit seinen eigenen Daten'],
  [/^must be absent: an existing queue stays paused until someone resumes it$/,
    'muss fehlen: Eine bestehende Warteschlange ruht, bis jemand sie fortsetzt'],
  [/^must be absent: only the priority of a job of an existing queue can be changed$/,
    'muss fehlen: Bei einem Job einer bestehenden Warteschlange lässt sich nur die Priorität ändern'],
  [/^must contain neither NUL nor half a character, which PostgreSQL cannot store$/,
    'darf weder NUL noch ein halbes Zeichen enthalten, die PostgreSQL nicht speichern kann'],
  [/^must have one item, the data of the job, or none$/, 'muss einen Eintrag haben, die Daten des Jobs, oder keinen'],
  [/^The jobs of (".*") have several names: run the task of one of them, such as (".*")$/s,
    'Die Jobs von $1 haben mehrere Namen: Führen Sie die Aufgabe von einem davon aus, etwa $2'],
  [/^The jobs of (".*") have several names, so it is not known which one to add$/s,
    'Die Jobs von $1 haben mehrere Namen, also ist nicht bekannt, welcher gemeint ist'],
  [/^The name of the jobs of (".*") is not known, because none has been seen: only the code that owns the queue can add one$/s,
    'Der Name der Jobs von $1 ist nicht bekannt, weil noch keiner gesehen wurde: Nur der Code des Eigentümers kann einen hinzufügen'],
  [/^The jobs of (".*") have no name to use again, only an id, a long one or none: only the code that owns the queue can add one$/s,
    'Die Jobs von $1 haben keinen Namen, der sich wiederholen lässt: Nur der Code des Eigentümers kann einen hinzufügen'],
  [/^must be absent: a schedule of an existing queue does not have it$/, 'muss fehlen: Zeitpläne bestehender Warteschlangen haben das nicht'],
  [/^must be absent: an interval of an existing queue has none$/, 'muss fehlen: Intervalle bestehender Warteschlangen haben keine'],
  [/^must be a list with the data of the job as its only item$/, 'muss eine Liste sein, deren einziger Eintrag die Daten des Jobs sind'],
  [/^is missing: its owner named none$/, 'fehlt: Der Eigentümer nannte keine'],
  // Of schedules.
  [/^must be (.*) to (.*) printable characters$/, 'muss aus $1 bis $2 druckbaren Zeichen bestehen'],
  [/^must be text of at most (.*) characters$/, 'muss Text von höchstens $1 Zeichen sein'],
  [/^must be true or false$/, 'muss true oder false sein'],
  [/^must be a whole number from (.*) to (.*)$/, 'muss eine ganze Zahl von $1 bis $2 sein'],
  [/^must be null or a whole number from (.*) to (.*)$/, 'muss null oder eine ganze Zahl von $1 bis $2 sein'],
  [/^must be a whole number of milliseconds from (.*) to (.*)$/, 'muss eine ganze Zahl von Millisekunden von $1 bis $2 sein'],
  [/^must be a whole number of milliseconds$/, 'muss eine ganze Zahl von Millisekunden sein'],
  [/^must be an instant within the years 1970 to 8999$/, 'muss ein Zeitpunkt in den Jahren 1970 bis 8999 sein'],
  [/^must be within the years 1970 to 8999$/, 'muss in den Jahren 1970 bis 8999 liegen'],
  [/^must be after start_at$/, 'muss nach start_at liegen'],
  [/^is only for schedules that are declared in code$/, 'gibt es nur für Zeitpläne, die im Code stehen'],
  [/^is for interval schedules; this one has a cron expression$/, 'gilt für Intervalle; dieser Zeitplan hat einen Cron-Ausdruck'],
  [/^is for cron schedules; this one runs at an interval$/, 'gilt für Cron-Ausdrücke; dieser Zeitplan hat ein Intervall'],
  [/^there are (.*) schedules already; delete some first$/, 'es gibt schon $1 Zeitpläne; löschen Sie zuerst einige'],
  [/^is not a registered task$/, 'ist keine registrierte Aufgabe'],
  [/^(".*") is not a time zone; use an IANA name such as Europe\/Berlin$/s,
    '$1 ist keine Zeitzone; verwenden Sie einen IANA-Namen wie Europe/Berlin'],
  [/^Give exactly one of cron and interval_ms$/, 'Geben Sie entweder cron oder interval_ms an'],
  // Of cron expressions.
  [/^it is longer than (.*) characters$/, 'er ist länger als $1 Zeichen'],
  [/^aliases such as @daily are not supported; write five fields$/, 'Kürzel wie @daily gibt es nicht; schreiben Sie fünf Felder'],
  [/^it has (.*) fields; it takes exactly five: .*$/,
    'er hat $1 Felder und braucht genau fünf: Minute, Stunde, Monatstag, Monat, Wochentag'],
  [/^it never matches: none of its months has such a day$/, 'er trifft nie zu: Keiner seiner Monate hat so einen Tag'],
  [/^the range (.*) of the (.*) runs backwards; write two ranges with a comma between them$/, (_, range, name = '') =>
    `der Bereich ${range} ${fieldOf(name)} läuft rückwärts; schreiben Sie zwei Bereiche mit einem Komma dazwischen`],
  [/^the (.*) has an empty item in its list$/, (_, name = '') => `die Liste ${fieldOf(name)} hat einen leeren Eintrag`],
  [/^(".*") in the (.*) is an extension of some schedulers; use numbers, names, \*, commas, - and \/$/s, (_, item, name = '') =>
    `${item} bei der Angabe ${fieldOf(name)} ist eine Erweiterung mancher Systeme; verwenden Sie Zahlen, Namen, *, Kommas, - und /`],
  [/^(".*") is not a ([\w ]+)$/s, (_, item, name = '') => `${item} ist keine Angabe ${fieldOf(name)}`],
  [/^the step of the (.*) must be 1 to (.*)$/, (_, name = '', most) => `die Schrittweite ${fieldOf(name)} muss 1 bis ${most} sein`],
  [/^(.*) is out of range for the (.*): (.*) to (.*)$/, (_, value, name = '', least, most) =>
    `${value} liegt außerhalb ${fieldOf(name)}: ${least} bis ${most}`],
  // Of searches.
  [/^character (\d+): (.*)$/s, (_, place, fault = '') => `Zeichen ${place}: ${sayOfField(fault)}`],
  [/^a search has at most (.*) characters$/, 'eine Suche hat höchstens $1 Zeichen'],
  [/^a search has at most (.*) terms$/, 'eine Suche hat höchstens $1 Begriffe'],
  [/^it has no letter or digit to search for$/, 'darin ist kein Buchstabe und keine Ziffer, wonach sich suchen ließe'],
  [/^(.*): needs a value, without a space after the colon; quote the text to search for it literally$/,
    '$1: braucht einen Wert, ohne Leerzeichen nach dem Doppelpunkt; in Anführungszeichen wird der Text wörtlich gesucht'],
  [/^(.*) is not a status: use (.*)$/s, '$1 ist kein Status; möglich sind $2'],
  [/^(.*) is not a duration comparison: write (.*) or (.*)$/s, '$1 ist kein Vergleich von Dauern: Schreiben Sie $2 oder $3'],
  [/^(.*) is not a time: write .*$/s,
    '$1 ist keine Zeit: Schreiben Sie eine Dauer vor jetzt (15m, 24h, 7d), ein Datum (2026-11-20) oder einen Zeitpunkt mit Z oder ' +
    'Abstand zu UTC (2026-11-20T09:00Z)'],
  [/^arguments are searched to a depth of (.*) keys$/, 'Argumente werden bis zu einer Tiefe von $1 Schlüsseln durchsucht'],
  [/^(.*[.?]) Quote it to search for it as text$/s, (_, slip = '') =>
    `${sayOfField(slip.replace(/\.$/, ''))}. In Anführungszeichen wird danach als Text gesucht`],
  [/^a search cannot exclude anything: search for the opposite, such as status:success$/,
    'eine Suche kann nichts ausschließen: Suchen Sie das Gegenteil, etwa status:success'],
  [/^every term must match anyway: leave AND out$/, 'ohnehin muss jeder Begriff zutreffen: Lassen Sie AND weg'],
  [/^there is no OR, because every term must match: run two searches$/,
    'OR gibt es nicht, denn jeder Begriff muss zutreffen: Suchen Sie zweimal'],
  [/^write date and time together, with Z or an offset: (.*)$/s,
    'schreiben Sie Datum und Uhrzeit zusammen, mit Z oder Abstand zu UTC: $1'],
  [/^there is no field (.*); did you mean (.*:)\?(.*)$/s, 'ein Feld $1 gibt es nicht; meinen Sie $2?$3'],
  [/^there is no field (.*): executions cannot be searched by it(.*)$/s,
    'ein Feld $1 gibt es nicht: Danach lassen sich Ausführungen nicht suchen$2'],
  [/^write (.*), with a colon(.*)$/s, 'schreiben Sie $1, mit Doppelpunkt$2'],
  [/^quotes are written (.*)$/s, 'Anführungszeichen schreibt man so: $1'],
  [/^(.*): takes a whole name, without \*; words without a field match by prefix\. Quote it if the \* is part of the name$/s,
    '$1: braucht einen ganzen Namen ohne *; Wörter ohne Feld treffen auf Anfänge zu. Gehört der * zum Namen, setzen Sie ihn in ' +
    'Anführungszeichen'],
  [/^this quote is not closed; write \\" for a quote inside quotes$/,
    'dieses Anführungszeichen ist nicht geschlossen; innerhalb schreibt man \\"'],
  [/^a space must follow the closing quote; write \\" for a quote inside quotes$/,
    'nach dem schließenden Anführungszeichen muss ein Leerzeichen folgen; innerhalb schreibt man \\"'],
  // Of times and pages.
  [/^is not an instant that can be represented$/, 'ist kein Zeitpunkt, der sich darstellen lässt'],
  [/^must be at most seven days after "from"$/, 'darf höchstens sieben Tage nach „from“ liegen'],
  [/^cannot be combined with order=next_run, which has a single page$/, 'geht nicht mit order=next_run, das nur eine Seite hat'],
  [/^must not be longer than the window of (.*)$/, 'darf nicht länger sein als der Zeitraum von $1'],
  [/^gives (.*) points for (.*), but at most (.*) are allowed: choose a longer step$/,
    'ergibt $1 Punkte für $2, möglich sind höchstens $3: Wählen Sie einen längeren Schritt'],
  // Of headers.
  [/^must be percent-encoded UTF-8$/, 'muss prozentkodiertes UTF-8 sein'],
  [/^must be (.*) to (.*) characters$/, 'muss $1 bis $2 Zeichen haben'],
  [/^must be printable$/, 'muss druckbar sein'],
  // Of actions.
  [/^must have 1 to (.*) ids$/, 'muss 1 bis $1 Kennungen haben'],
  [/^must be (.*) to (.*), or left out$/, 'muss bei der Aktion $2 so lauten oder fehlen: $1'],
  [/^may only have a task, a failure group, `from` and `to`: groups are resolved as a whole$/,
    'darf nur Aufgabe, Fehlergruppe, `from` und `to` haben: Erledigt werden ganze Gruppen'],
  [/^does not belong to this action and filter: make another dry run$/, 'gehört nicht zu dieser Aktion und diesem Filter: Zählen Sie erneut'],
  [/^matches (.*) items: an operation has at most (.*)\. Narrow it, such as by time$/,
    'trifft auf $1 zu, eine Sammelaktion hat höchstens $2: Schränken Sie den Filter ein, etwa nach der Zeit'],
  [/^is not a rate: (.*)$/s, 'ist keine Rate: $1'],
  [/^must be (.*), the window of the limit in the code of this task$/, 'muss $1 sein, wie beim Limit im Code dieser Aufgabe'],
  [/^must be in the future, at most (.*) days from now$/, 'muss in der Zukunft liegen, höchstens $1 Tage von jetzt'],
  [/^must be at most a year from now$/, 'darf höchstens ein Jahr von jetzt liegen']
]

const TYPES: Readonly<Record<string, string>> = {
  string: 'Text', number: 'eine Zahl', integer: 'eine ganze Zahl', boolean: 'true oder false', object: 'ein Objekt', array: 'eine Liste',
  null: 'null'
}

/** What the health check says about its parts, and a worker about itself; joined by semicolons. */
const OF_PARTS: readonly Said[] = [
  [/^running$/, 'läuft'],
  [/^unknown: other code works on these queues$/, 'unbekannt: an diesen Warteschlangen arbeitet anderer Code'],
  [/^unknown: other code schedules these queues$/, 'unbekannt: an diesen Warteschlangen plant anderer Code'],
  [/^the history is in memory and ends with this process: name a `backend` to keep it$/,
    'der Verlauf liegt im Speicher und endet mit diesem Prozess: nennen Sie ein `backend`, um ihn zu behalten'],
  [/^not started$/, 'nicht gestartet'],
  [/^reachable$/, 'erreichbar'],
  [/^cannot be reached$/, 'nicht erreichbar'],
  [/^reachable, but it refuses: /, 'erreichbar, lehnt aber ab: '],
  [/^reachable, but it refuses writes: /, 'erreichbar, lehnt aber Schreiben ab: '],
  [/^reachable, but it does not answer writes$/, 'erreichbar, beantwortet aber kein Schreiben'],
  [/^its database ended, and its data in memory is gone: restart the process$/,
    'Die Datenbank ist beendet, ihre Daten im Arbeitsspeicher sind verloren: Starten Sie den Prozess neu'],
  [/^unknown: the broker cannot be asked$/, 'nicht bekannt: Der Broker ist nicht erreichbar'],
  [/^unknown: the queue app is not started$/, 'nicht bekannt: Die Queue-App ist nicht gestartet'],
  [/^no process runs tasks: enqueued executions wait$/, 'Kein Prozess führt Aufgaben aus: Eingereihte Ausführungen warten'],
  [/^1 process runs tasks$/, '1 Prozess führt Aufgaben aus'],
  [/^(\d{1,9}) processes run tasks$/, '$1 Prozesse führen Aufgaben aus'],
  [/^(\d{1,9}) of (\d{1,9}) processes run tasks$/, '$1 von $2 Prozessen führen Aufgaben aus'],
  [/^(\d{1,9}) cannot reach the broker to take executions$/, '$1 erreichen den Broker nicht, um Ausführungen zu übernehmen'],
  [/^the broker refuses the workers of one process: /, 'Der Broker lehnt die Worker eines Prozesses ab: '],
  [/^the broker refuses the workers of (\d{1,9}) processes, for example: /, 'Der Broker lehnt die Worker von $1 Prozessen ab, zum Beispiel: '],
  [/^the clock of one process is (.*): correct it$/, (_, skew = '') => `Die Uhr eines Prozesses ${wrongBy(skew)}: Stellen Sie sie richtig`],
  [/^the clocks of (.*) processes are wrong, one of them (.*): correct them$/, (_, count, skew = '') =>
    `Die Uhren von ${count} Prozessen sind falsch, eine ${wrongBy(skew)}: Stellen Sie sie richtig`],
  [/^another process: (.*)$/s, (_, problem = '') => `ein anderer Prozess: ${sayOfPart(problem)}`],
  [/^(\d{1,9}) other processes, for example: (.*)$/s, (_, count, problem = '') =>
    `${count} andere Prozesse, zum Beispiel: ${sayOfPart(problem)}`],
  // The scheduler.
  [/^not converged yet$/, 'noch nicht abgeglichen'],
  [/^1 schedule$/, '1 Zeitplan'],
  [/^(\d{1,9}) schedules$/, '$1 Zeitpläne'],
  [/^(\d{1,9}) schedules?, (\d{1,9}) of them without a copy in the result backend, because redaction hides their arguments$/,
    'Zeitpläne: $1, davon $2 ohne Kopie im Ergebnisspeicher, weil ihre Argumente verborgen werden'],
  [/^the broker lost its data at (\S+), schedules declared in code were written again$/,
    'Der Broker hat seine Daten um $1 verloren; Zeitpläne aus dem Code wurden neu geschrieben'],
  [/^the broker lost its data at (\S+), schedules declared in code and those with a copy in the result backend were written again$/,
    'Der Broker hat seine Daten um $1 verloren; Zeitpläne aus dem Code und die mit einer Kopie im Ergebnisspeicher wurden neu geschrieben'],
  [/^the broker lost its data at (\S+), schedules declared in code \(not yet .*\) were written again$/,
    'Der Broker hat seine Daten um $1 verloren; Zeitpläne aus dem Code wurden neu geschrieben, die mit einer Kopie im Ergebnisspeicher ' +
    'noch nicht, weil er nicht lesbar ist'],
  [/^1 schedule is overdue: runs are due, but no worker takes them$/, '1 Zeitplan ist überfällig: Läufe sind fällig, aber kein Worker übernimmt sie'],
  [/^(\d{1,9}) schedules are overdue: runs are due, but no worker takes them$/,
    '$1 Zeitpläne sind überfällig: Läufe sind fällig, aber kein Worker übernimmt sie'],
  [/^1 schedule names a task that no process registers: its runs are missed until one does$/,
    '1 Zeitplan nennt eine Aufgabe, die kein Prozess registriert: Bis dahin fallen seine Läufe aus'],
  [/^(\d{1,9}) schedules name tasks that no process registers: their runs are missed until one does$/,
    '$1 Zeitpläne nennen Aufgaben, die kein Prozess registriert: Bis dahin fallen ihre Läufe aus'],
  [/^(\d{1,9}) schedules? cannot be planned by this process: (.*)$/s, (_, count, why = '') =>
    `${count} ${count === '1' ? 'Zeitplan kann' : 'Zeitpläne können'} von diesem Prozess nicht geplant werden: ${sayOfPart(why)}`],
  [/^a bug$/, 'ein Fehler in dieser Software'],
  [/^the server's log has the error$/, 'das Protokoll des Servers enthält ihn'],
  [/^The schedules could not be planned because of a bug$/, 'Die Zeitpläne konnten wegen eines Fehlers in dieser Software nicht geplant werden'],
  [/^The schedules could not be planned\. /, 'Die Zeitpläne konnten nicht geplant werden. '],
  [/^The schedules could not be brought in line with the broker$/, 'Die Zeitpläne konnten mit dem Broker nicht abgeglichen werden'],
  [/^the next attempt follows$/, 'der nächste Versuch folgt'],
  [/^The clock of this process is (.*): correct it, because a worker starts due runs by its own clock$/, (_, skew = '') =>
    `Die Uhr dieses Prozesses ${wrongBy(skew)}: Stellen Sie sie richtig, denn ein Worker startet fällige Läufe nach seiner Uhr`],
  ...OF_OBSERVED,
  // The history.
  [/^(\d{1,12}) finished executions have been waiting to be written to the history since (\S+)$/,
    '$1 beendete Ausführungen warten seit $2 darauf, in den Verlauf geschrieben zu werden'],
  [/^(\d{1,12}) records did not fit into the recorder's queue$/, '$1 Einträge hatten keinen Platz in der Warteschlange'],
  [/^the reconciler will write them$/, 'sie werden nachgetragen'],
  [/^(\d{1,12}) records were refused by the result backend$/, '$1 Einträge hat der Ergebnisspeicher abgelehnt'],
  [/^the reconciler retries them as long as the broker has them$/, 'sie werden erneut geschrieben, solange der Broker sie hat'],
  // A worker.
  [/^Its heartbeats ended although it did not stop: it died, hangs, or cannot reach the broker$/,
    'Seine Lebenszeichen enden, obwohl er nicht beendet wurde: Er ist abgestürzt, hängt oder erreicht den Broker nicht'],
  [/^The broker refuses its workers: /, 'Der Broker lehnt seine Worker ab: '],
  [/^(\d{1,9}) of its (\d{1,9}) tasks cannot reach the broker to take executions$/,
    '$1 seiner $2 Aufgaben erreichen den Broker nicht, um Ausführungen zu übernehmen'],
  [/^Its history: (.*)$/s, (_, problem = '') => `Sein Verlauf: ${sayOfPart(problem)}`],
  [/^Its clock is (.*): correct it$/, (_, skew = '') => `Seine Uhr ${wrongBy(skew)}: Stellen Sie sie richtig`]
]

/** `12 s ahead of the broker's` */
function wrongBy(skew: string): string {
  return skew.replace(/^(\d{1,15}) s ahead of the broker's$/, 'geht $1 s vor der des Brokers')
    .replace(/^(\d{1,15}) s behind the broker's$/, 'geht $1 s nach der des Brokers')
}

/** Where the server found the fault, at the beginning of its sentence. */
const PLACES: readonly Said[] = [
  [/^The body at (\S+) /, 'Die Angabe $1 '],
  [/^The body /, 'Der Inhalt '],
  [/^The header (".*?") /, 'Der Header $1 '],
  [/^The query parameter (".*?") /, 'Der Parameter $1 '],
  [/^The path parameter (".*?") /, 'Der Teil $1 der Adresse '],
  [/^The path is not valid percent-encoded UTF-8$/, 'Die Adresse ist kein gültiges prozentkodiertes UTF-8'],
  [/^The length of the body differs from its content-length$/, 'Der Inhalt ist nicht so lang wie sein content-length']
]

export function sayOfField(message: string): string {
  return translated(OF_FIELDS, message)
}

export function sayOfPart(message: string): string {
  return message.split('; ').map(part => translated(OF_PARTS, part)).join('; ')
}

export function sayOfPlace(detail: string): string {
  return translated(PLACES, detail)
}

function translated(table: readonly Said[], text: string): string {
  const [english, german] = table.find(([pattern]) => pattern.test(text)) ?? []
  if (!english || german === undefined) return text
  return typeof german === 'string' ? text.replace(english, german) : text.replace(english, (...found) => german(...found as string[]))
}
