import t from 'tap'
import { isTransientError } from '../../../lib/engine/connection/transient-error.ts'
import { isTaskDashboardError, type TaskDashboardError } from '../../../lib/errors.ts'
import { failedCall, isDefect, unavailable } from '../../../lib/stores/failures/unavailable.ts'
import { mayHaveHappened } from '../../../lib/stores/failures/may-have-happened.ts'
import { storeRefusalOf } from '../../../lib/stores/failures/store-refusal.ts'
import { writeRefusalOf } from '../../../lib/stores/failures/write-refusal.ts'

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' })
const sqlError = (code: string, message = 'secret') => Object.assign(new Error(message), { name: 'error', code })
const SCRIPT = 'script: 961eaa1217db4ee3246cd064d14b2bfd13d895e1, on @user_script:1.'

/** Errors as Redis 6.2, 7.0 and 7.2 word them within scripts, and our reason for each. */
const WITHIN_SCRIPTS: ReadonlyArray<readonly [Error, reason: string]> = [
  [reply(
    'ERR Error running script (call to f_961e): @user_script:3: @user_script: 3: The user executing the script can\'t run ' +
      'this command or subcommand '
  ),
  'its user may not run a command that a script of ours needs'],
  [reply('ERR Error running script (call to f_961e): @user_script:3: @user_script: 3: Unknown Redis command called from Lua script '),
    'it does not know a command that a script of ours needs'],
  [
    reply(`ERR The user executing the script can't run this command or subcommand ${SCRIPT}`),
    'its user may not run a command that a script of ours needs'
  ],
  [
    reply(`ERR The user executing the script can't access at least one of the keys mentioned in the command arguments ${SCRIPT}`),
    'its user may not use a key of this queue app'
  ],
  [reply(`ERR Unknown Redis command called from script ${SCRIPT}`), 'it does not know a command that a script of ours needs'],
  [reply(`ERR ACL failure in script: User secret has no permissions to run the 'xadd' command ${SCRIPT}`), 'its user may not run XADD']
]

/** The same outside scripts, and errors of PostgreSQL and its poolers. */
const OUTSIDE_SCRIPTS: ReadonlyArray<readonly [Error, reason: string]> = [
  [reply('NOPERM this user has no permissions to run the \'xadd\' command or its subcommand'), 'its user may not run XADD'],
  [reply('NOPERM this user has no permissions to run the \'client|list\' command'), 'its user may not run CLIENT LIST'],
  [reply('NOPERM User secret has no permissions to run the \'evalsha\' command'), 'its user may not run EVALSHA'],
  [
    reply('NOPERM this user has no permissions to access one of the keys used as arguments'), 'its user may not use a key of this queue app'
  ],
  [reply('NOPERM No permissions to access a key'), 'its user may not use a key of this queue app'],
  [reply('NOPERM User secret has no permissions to access the \'secret\' key'), 'its user may not use a key of this queue app'],
  [
    reply('NOPERM this user has no permissions to access one of the channels used as arguments'),
    'its user may not use a channel of this queue app'
  ],
  [reply('ERR unknown command `EVALSHA`, with args beginning with: `secret`, '), 'it does not know EVALSHA'],
  [reply('ERR unknown command \'lpos\', with args beginning with: \'secret\' \'b\' '), 'it does not know LPOS'],
  [reply('ERR unknown subcommand \'setinfo\'. Try CLIENT HELP.'), 'it does not know SETINFO'],
  [reply('ERR command is not allowed'), 'it does not allow a command'],
  [reply('NOAUTH Authentication required.'), 'it asks for a password'],
  [reply('WRONGPASS invalid username-password pair or user is disabled.'), 'it does not accept the user name or the password'],
  [
    reply('DENIED Redis is running in protected mode because protected mode is enabled'),
    'it is in protected mode and answers only its own machine'
  ],
  [reply('ERR DB index is out of range'), 'it has no database with this number'],
  [sqlError('42501', 'permission denied for table job'), 'its user lacks a right on table job'],
  [sqlError('42501', 'keine Berechtigung für Tabelle secret'), 'its user lacks a right'],
  [sqlError('42P01', 'relation "tasks.execution" does not exist'), 'a table is missing: tasks.execution'],
  [sqlError('42P01', 'relation "a secret; with odd letters" does not exist'), 'a table is missing'],
  [sqlError('42883'), 'a function is missing'],
  [sqlError('42704'), 'a type or another object is missing'],
  [sqlError('3F000'), 'a schema is missing'],
  [sqlError('3D000'), 'the database does not exist'],
  [sqlError('28000'), 'it does not accept this user'],
  [sqlError('28P01'), 'it does not accept the user name or the password'],
  [sqlError('08P01', 'unsupported startup parameter: options'), 'the pooler in front of it refuses the connection'],
  [sqlError('08P01', 'no such database: secret'), 'the pooler in front of it refuses the connection']
]

const REFUSALS = [...OUTSIDE_SCRIPTS, ...WITHIN_SCRIPTS]

t.test("a permanent refusal is reported with advice, without the datastore's words", async t => {
  for (const [cause, reason] of REFUSALS) {
    t.equal(storeRefusalOf(cause)?.reason, reason, cause.message)
    for (const role of ['broker', 'result backend'] as const) {
      const error = failedCall(cause, role) as TaskDashboardError
      t.match(error, { code: 'STORE_REFUSED', statusCode: 500, cause }, cause.message)
      t.ok(error.message.startsWith(`The ${role} refused the request, and waiting does not help: ${reason}. `), error.message)
      t.notMatch(error.message, /secret|try again/)
    }
    t.equal(writeRefusalOf(unavailable(cause, 'broker')), reason, 'health has the same reason')
    t.equal(storeRefusalOf(new Error('wrapped', { cause: unavailable(cause, 'broker') }))?.reason, reason, 'also as a nested cause')
  }
})

t.test('background work retries after a refusal, which is not a defect', async t => {
  for (const [cause] of REFUSALS) {
    t.ok(isTransientError(cause), cause.message)
    t.notOk(isDefect(cause), cause.message)
  }
})

t.test('only a refusal within a script may leave writes behind', async t => {
  for (const [cause] of WITHIN_SCRIPTS) t.ok(mayHaveHappened(cause), cause.message)
  for (const [cause] of OUTSIDE_SCRIPTS) t.notOk(mayHaveHappened(cause), cause.message)
})

t.test('temporary failures and defects are not reported as refusals', async t => {
  const passing = [
    reply('READONLY You can\'t write against a read only replica.'), reply('LOADING Redis is loading the dataset in memory'),
    reply('OOM command not allowed when used memory > \'maxmemory\'.'),
    reply('CLUSTERDOWN Hash slot not served'), sqlError('25006'), sqlError('53300'), sqlError('57P03'), sqlError('40001'),
    sqlError('08006'),
    sqlError('08P01', 'query_wait_timeout'), sqlError('08P01', 'no more connections allowed (max_client_conn)'),
    sqlError('08P01', 'server login failed: secret'),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), new Error('Connection is closed.')
  ]
  for (const cause of passing) {
    t.equal(storeRefusalOf(cause), null, cause.message)
    t.match(failedCall(cause, 'broker'), { code: 'BROKER_UNAVAILABLE' })
    t.match(failedCall(cause, 'result backend'), { code: 'BACKEND_UNAVAILABLE' })
  }
  for (const defect of [new TypeError('x'), sqlError('42703'), reply('WRONGTYPE Operation against a key')])
    t.equal(failedCall(defect, 'broker'), defect)
  const known = unavailable(new Error('x'), 'broker')
  t.equal(failedCall(known, 'broker'), known)
  for (const thrown of [undefined, null, 'NOPERM', { message: 'NOPERM' }]) t.equal(storeRefusalOf(thrown), null)
})

t.test('a refusal lists the executions that may have been added', async t => {
  const refused = unavailable(
    reply(`ERR The user executing the script can't run this command or subcommand ${SCRIPT}`), 'broker',
    { enqueuedIds: ['a'], unconfirmedIds: ['b'] }
  )
  t.match(refused, { code: 'STORE_REFUSED', enqueuedIds: ['a'], unconfirmedIds: ['b'] })
  t.match(unavailable(new Error('reset'), 'broker', { enqueuedIds: [], unconfirmedIds: ['b'] }), {
    code: 'UNCONFIRMED', unconfirmedIds: ['b']
  })
  t.ok(isTaskDashboardError(refused))
})
