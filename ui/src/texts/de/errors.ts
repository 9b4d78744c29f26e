import type { Texts } from '../texts.ts'
import { sayOfField, sayOfPart, sayOfPlace } from './server-words.ts'

type Sentence = string | ((detail: string) => string)

/** The beginning of a server sentence, which the German sentence already expresses. */
const BEGINNING = /^Invalid (?:(?:schedule|search|arguments|options): |cron expression )/
/** Adds the server's detail, which names what only the server knows. */
const withDetail = (sentence: string): Sentence => detail =>
  `${sentence}: ${sayOfPlace(detail.replace(BEGINNING, '')).replace(/\.$/, '')}`
/** Adds the action, which is in the parentheses of the server's sentence. */
const withAction = (sentence: string): Sentence => detail => {
  const action = /\(([\w:-]+)\)/.exec(detail)?.[1]
  return action === undefined ? sentence : `${sentence} (${action})`
}
const inSeconds = (sentence: string): Sentence => detail => {
  const seconds = /(?<!\d)(\d{1,15}) seconds/.exec(detail)?.[1]
  return `${sentence}; ein neuer Versuch ist ${seconds === undefined ? 'später' : `in ${seconds} Sekunden`} möglich`
}
/** The store cannot be reached, or it can be reached but refuses writes. */
const outOfReach = (store: string): Sentence => detail => {
  const reason = /refuses writes at the moment: ([^;]*)/.exec(detail)?.[1]
  const what = reason === undefined ? 'ist derzeit nicht erreichbar' : `nimmt derzeit keine Änderungen an (${reason})`
  return `${store} ${what}; versuchen Sie es in einigen Sekunden erneut`
}
const withRequestId = (sentence: string): Sentence => detail => {
  const id = /request id (\S+)/.exec(detail)?.[1]
  return `${sentence}. Den Grund nennt das Protokoll des Servers${id === undefined ? '' : ` unter der Kennung ${id}`}`
}

/** A sentence for each code; what only the server knows is taken from its detail. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  INVALID_INPUT: withDetail('Ungültige Eingabe'),
  INVALID_SEARCH: withDetail('Ungültige Suche'),
  INVALID_CURSOR: 'Die Stelle in der Liste ist ungültig: Beginnen Sie mit der ersten Seite',
  INVALID_SCHEDULE: withDetail('Ungültiger Zeitplan'),
  INVALID_CRON: withDetail('Ungültiger Cron-Ausdruck'),
  INVALID_ARGUMENTS: withDetail('Ungültige Argumente'),
  INVALID_TASK: withDetail('Ungültige Aufgabe'),
  INVALID_OPTIONS: withDetail('Ungültige Optionen'),
  TASK_NOT_REGISTERED: withDetail('Die Aufgabe ist nicht registriert'),
  SCHEDULE_WITHOUT_TASK: withDetail('Zu einem Zeitplan registriert kein Prozess die Aufgabe'),
  DUPLICATE_EXECUTION: 'Nicht eingereiht: Eine andere Ausführung hat denselben Deduplizierungsschlüssel',
  NOT_STARTED: 'Die Queue-App ist nicht gestartet',
  ALREADY_STOPPED: 'Die Queue-App wurde beendet',
  STORE_UNREACHABLE: withDetail('Ein Datenspeicher ist nicht erreichbar'),
  STORE_UNSUITABLE: withDetail('Ein Datenspeicher ist nicht verwendbar'),
  EMBEDDED_STORE_LOST: 'Die Datenbank des eingebetteten Speichers ist beendet: Starten Sie den Prozess neu',
  UNAUTHENTICATED: 'Melden Sie sich mit Namen und Passwort dieser Oberfläche an',
  SIGNED_OUT: 'Sie sind nicht angemeldet',
  NOT_LOCAL: withDetail('Ohne eingerichteten Zugriff werden nur Anfragen von demselben Rechner beantwortet'),
  ACCESS_NOT_CONFIGURED: withDetail('Ohne eingerichteten Zugriff wird im Betrieb niemandem geantwortet'),
  TOO_MANY_SIGN_INS: inSeconds('Zu viele falsche Passwörter von dieser Adresse'),
  TOO_MANY_WRITES: inSeconds('Zu viele Änderungen'),
  FORBIDDEN: withAction('Das dürfen Sie nicht'),
  AUTHORIZE_FAILED: withRequestId('Die Prüfung Ihrer Rechte ist fehlgeschlagen'),
  IDENTIFY_FAILED: withRequestId('Der Server konnte nicht feststellen, wer Sie sind; nichts wurde geändert'),
  SCOPE_FAILED: withRequestId('Der Server konnte nicht feststellen, was Sie sehen dürfen'),
  READ_ONLY: withAction('Hier lässt sich nichts ändern'),
  REASON_REQUIRED: withAction('Dafür ist ein Grund nötig'),
  CROSS_SITE_WRITE: 'Änderungen sind nur von den Seiten dieser Oberfläche und von Programmen möglich, nicht von anderen Websites',
  NOT_FOUND: 'Unter dieser Adresse gibt es nichts',
  TASK_NOT_FOUND: detail => `Es gibt keine Aufgabe mit diesem Namen${quoted(detail)}`,
  QUEUE_NOT_FOUND: detail => `Es gibt keine Warteschlange mit diesem Namen${quoted(detail)}`,
  FAILURE_GROUP_NOT_FOUND: detail => `Es gibt keine Fehlergruppe mit dieser Kennung${quoted(detail)}`,
  SCHEDULE_NOT_FOUND: detail => `Es gibt keinen Zeitplan mit dieser Kennung${quoted(detail)}`,
  EXECUTION_NOT_FOUND: detail => `Es gibt keine Ausführung mit dieser Kennung${quoted(detail)}`,
  EXECUTION_DELETED: detail => `Diese Ausführung wurde aus dem Verlauf gelöscht${quoted(detail)}`,
  EXECUTION_PRUNED: detail => {
    const until = / up to (\S+)$/.exec(detail)?.[1]
    return `Diese Ausführung wird nicht mehr aufbewahrt${until === undefined ? '' : `: Was bis ${until} beendet war, wurde entfernt`}`
  },
  FAILURE_GROUP_DECIDED: 'Über diese Gruppe hat inzwischen jemand entschieden',
  FAILED_AGAIN: 'Diese Gruppe ist inzwischen wieder aufgetreten: Sie ist nicht erledigt',
  METHOD_NOT_ALLOWED: withDetail('Unter dieser Adresse ist diese Methode nicht möglich'),
  CONFLICT: withDetail('Der Zustand lässt das nicht zu'),
  OBSERVED_ONLY: 'Diese Queue-App ändert bestehende Warteschlangen nicht auf diese Weise',
  NOT_RETRYABLE: 'Nur eine fehlgeschlagene Ausführung lässt sich wiederholen',
  NOT_CANCELLABLE: 'Nur eine wartende oder laufende Ausführung lässt sich abbrechen',
  BULK_NOT_FOUND: detail => `Es gibt keine Sammelaktion mit dieser Kennung${quoted(detail)}`,
  BULK_DRIFTED: 'Inzwischen trifft der Filter auf eine andere Anzahl zu: Es wurde nichts begonnen',
  NOTHING_MATCHES: 'Zurzeit trifft nichts zu: Es wurde nichts begonnen',
  BULK_STATE: 'Der Zustand der Sammelaktion lässt das nicht zu',
  BULK_FULL: 'Es gibt zu viele Sammelaktionen: Warten Sie, bis eine fertig ist, oder brechen Sie eine ab',
  NOT_CHANGEABLE: 'Nur eine wartende Ausführung lässt sich ändern',
  NOT_DELETABLE: 'Nur eine beendete Ausführung lässt sich löschen: Brechen Sie sie zuerst ab',
  ALREADY_RETRIED: detail => `Diese Ausführung wurde schon wiederholt${quoted(detail)}`,
  ARGUMENTS_NOT_KEPT: 'Die Argumente wurden nicht vollständig aufbewahrt: Geben Sie sie mit der Wiederholung an',
  IDEMPOTENCY_KEY_REUSED: 'Derselbe Idempotency-Key gehört zu einer anderen Anfrage: Senden Sie eine neue',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'Die erste Anfrage dieser Art läuft noch: Versuchen Sie es in einer Sekunde erneut',
  TOO_MANY_IDEMPOTENCY_KEYS: 'Zu viele Anfragen mit Idempotency-Key sind gespeichert: Versuchen Sie es später erneut',
  BODY_TOO_LARGE: detail => {
    const bytes = /(?<!\d)(\d{1,15}) bytes/.exec(detail)?.[1]
    return `Die Eingabe ist zu groß${bytes === undefined ? '' : `: höchstens ${bytes} Bytes`}`
  },
  URI_TOO_LONG: 'Die Adresse ist zu lang',
  NOT_JSON: 'Der Server erwartet JSON',
  INTERFACE_MISSING: 'Die Dateien der Oberfläche fehlen auf dem Server',
  INTERNAL: withRequestId('Das ist ein Fehler in dieser Oberfläche'),
  BROKER_UNAVAILABLE: outOfReach('Der Broker'),
  BACKEND_UNAVAILABLE: outOfReach('Der Ergebnisspeicher'),
  STORE_REFUSED: withDetail('Ein Datenspeicher lehnt die Anfrage ab, und Warten hilft nicht'),
  UNCONFIRMED: 'Die Änderung wurde nicht rechtzeitig bestätigt: Vielleicht ist sie geschehen, oder sie geschieht noch. Sehen Sie nach, ' +
    'bevor Sie sie wiederholen',
  NO_ANSWER: 'Die Queue-App hat nicht rechtzeitig geantwortet; versuchen Sie es in einigen Sekunden erneut',
  BUSY: 'Der Server kann derzeit nicht antworten; versuchen Sie es in einigen Sekunden erneut'
}

/** The name or id that the server's sentence has between quotes. */
function quoted(detail: string): string {
  const name = /"(.*)"/s.exec(detail)?.[1]
  return name === undefined ? '' : `: ${name}`
}

export const errors: Texts['errors'] = {
  say(code, detail) {
    const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined
    return typeof sentence === 'function' ? sentence(detail) : sentence ?? detail
  },
  sayOfField,
  sayOfPart
}
