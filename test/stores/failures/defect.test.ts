import t from 'tap'
import { isDefect } from '../../../lib/stores/failures/unavailable.ts'

const errorWith = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)
const reply = (message: string) => errorWith(message, { name: 'ReplyError' })

t.test('invalid calls are defects, but refusals and outages of a datastore are not', async t => {
  const defects = [
    new TypeError('x is not a function'), new RangeError('Invalid time value'), new SyntaxError('Unexpected token'),
    reply('ERR wrong number of arguments for \'hset\' command'), reply('WRONGTYPE Operation against a key holding the wrong kind of value'),
    reply('ERR user_script:1: too many results to unpack script: 1a2b, on @user_script:1.'),
    reply('ERR Error running script (call to f_1a2b): @user_script:3: user_script:3: attempt to index a nil value'),
    errorWith('unsupported Unicode escape sequence', { code: '22P05' }), errorWith('column "a" does not exist', { code: '42703' })
  ]
  for (const error of defects) t.ok(isDefect(error), error.message)
  const others = [
    reply('OOM command not allowed when used memory > \'maxmemory\'.'), reply('READONLY You can\'t write against a read only replica.'),
    reply('ERR Error running script (call to f_1a2b): @user_script:3: @user_script: 3: -OOM command not allowed'),
    reply('LOADING Redis is loading'),
    errorWith('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), errorWith('permission denied', { code: '42501' }),
    errorWith('no such table', { code: '42P01' }),
    errorWith('no such function', { code: '42883' }), errorWith('deadlock detected', { code: '40P01' }),
    reply('ERR Error running script (call to f_1a2b): @user_script:3: @user_script: 3: Unknown Redis command called from Lua script'),
    reply(
      'ERR Error running script (call to f_1a2b): @user_script:3: @user_script: 3: The user executing the script can\'t ' +
        'run this command or subcommand'
    ),
    errorWith('ERR user_script:1: somebody else\'s'), undefined, 'text'
  ]
  for (const error of others) t.notOk(isDefect(error), error instanceof Error ? error.message : String(error))
})
