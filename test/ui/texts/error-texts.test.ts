import t from 'tap'
import { createTaskDashboardError, describeError, ERROR_CODES, type ErrorCode } from '../../../lib/errors.ts'
import { unavailable } from '../../../lib/stores/failures/unavailable.ts'
import { de } from '../../../ui/src/texts/de/de.ts'
import { en } from '../../../ui/src/texts/en/en.ts'

/** Thrown when a queue app is created, or recorded as the error of an execution. No response has these codes. */
const NEVER_ANSWERED = new Set<ErrorCode>([
  'UNKNOWN_URL_SCHEME', 'MISSING_PACKAGE', 'EMBEDDED_FOLDER_IN_USE', 'EMBEDDED_WITHOUT_THREAD', 'NAMESPACE_SHARED', 'DUPLICATE_TASK',
  'EXECUTION_TIMEOUT', 'EXECUTION_ABORTED', 'EXECUTION_CANCELLED', 'EXECUTION_LOST', 'FOREIGN_JOB', 'NO_CURRENT_EXECUTION'
])

t.test('every error that a reader can meet has a sentence in each language', async t => {
  for (const code of ERROR_CODES.filter(each => !NEVER_ANSWERED.has(each))) {
    const { message } = describeError(code)
    t.equal(en.errors.say(code, message), message, `${code} in English equals the text of the server`)
    const said = de.errors.say(code, message)
    t.not(said, message, `${code} in German`)
    t.notMatch(said, /undefined|\.$/, code)
  }
})

t.test('details that only the server knows stay in the sentence', async t => {
  const say = (code: ErrorCode, ...values: unknown[]) => de.errors.say(code, createTaskDashboardError(code, values).message)
  t.equal(say('EXECUTION_NOT_FOUND', 'a "b"'), 'Es gibt keine Ausführung mit dieser Kennung: a "b"')
  t.equal(say('TOO_MANY_WRITES', 30), 'Zu viele Änderungen; ein neuer Versuch ist in 30 Sekunden möglich')
  t.equal(say('FORBIDDEN', 'schedules:delete'), 'Das dürfen Sie nicht (schedules:delete)')
  t.match(say('INTERNAL', 'req-7'), 'unter der Kennung req-7')
  t.match(say('AUTHORIZE_FAILED', 'tasks:run', 'req-8'), 'unter der Kennung req-8')
  t.match(say('EXECUTION_PRUNED', 'e-1', '2026-11-20T09:00:00.000Z'), 'bis 2026-11-20T09:00:00.000Z beendet')
  t.match(say('INVALID_CRON', '99 * * * *', 'minute 99'), '99 * * * *')
  t.match(say('STORE_REFUSED', 'broker', 'its disk is full', 'Make room'), 'its disk is full. Make room')
  t.match(say('BODY_TOO_LARGE', 65536), '65536 Bytes')
  t.match(say('BROKER_UNAVAILABLE'), 'Der Broker ist derzeit nicht erreichbar')
  const full = unavailable(Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' }), 'result backend')
  t.match(de.errors.say(full.code, full.message), 'Der Ergebnisspeicher nimmt derzeit keine Änderungen an (its memory is full)')
})

t.test('messages of the health check are shown in German, and unknown ones stay as they are', async t => {
  const say = de.errors.sayOfPart
  t.equal(say('cannot be reached'), 'nicht erreichbar')
  t.equal(say('3 processes run tasks'), '3 Prozesse führen Aufgaben aus')
  t.equal(say('reachable, but it refuses writes: its disk is full'), 'erreichbar, lehnt aber Schreiben ab: its disk is full')
  t.equal(
    say('reachable, but it refuses: no right; 1 process runs tasks'),
    'erreichbar, lehnt aber ab: no right; 1 Prozess führt Aufgaben aus'
  )
  t.equal(say('something new'), 'something new')
  t.equal(en.errors.sayOfPart('cannot be reached'), 'cannot be reached')
})

t.test('an unknown code keeps the sentence of the server', async t => {
  for (const code of ['NEW_CODE', 'constructor', '__proto__']) t.equal(de.errors.say(code, 'Something new'), 'Something new', code)
})
