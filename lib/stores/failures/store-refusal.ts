import { errorCodeOf } from './error-code.ts'

/** Why a reachable datastore refuses a call, and will until someone changes something. */
export interface StoreRefusal {
  /** Part of a sentence, without the datastore's own words: `its user may not run XADD`. */
  readonly reason: string
  /** How to fix it, a sentence without a full stop. */
  readonly remedy: string
}

/**
 * Finds a lasting refusal in a datastore's error or its causes; null if there is none. Callers that get one are not told to retry.
 * Background work does retry, because rights may be fixed while it runs: see `isTransientError`.
 */
export function storeRefusalOf(error: unknown): StoreRefusal | null {
  for (let each = error, depth = 0; each instanceof Error && depth < MAX_CAUSES; each = each.cause, depth++) {
    const code = errorCodeOf(each)
    const message = each.message.slice(0, MAX_TEXT)
    const refusal = (code === null ? null : POSTGRES_REFUSALS[code]?.(message)) ?? redisRefusal(message)
    if (refusal) return refusal
  }
  return null
}

/** Whether the refusal happened inside one of our scripts. Redis keeps what the script wrote before it. */
export function isRefusedMidway(error: unknown): boolean {
  return error instanceof Error && IN_SCRIPT.test(error.message.slice(0, MAX_TEXT)) &&
    redisRefusal(error.message.slice(0, MAX_TEXT)) !== null
}

const MAX_CAUSES = 5
/** Enough for the server's own words. In some messages, commands with arguments follow. */
const MAX_TEXT = 1_000

const GRANT = 'Give its user the rights in docs/your-store.md, or in docs/existing-queues.md for existing queues; nothing needs a restart'
const SIGN_IN = 'Correct the user name and the password, here or on the server'
const MIGRATE = 'Restore it, or start a process that may migrate; see docs/your-store.md'

/** Redis 6.2 puts this before the message, and both 6.2 and 7 include the script's name. */
const IN_SCRIPT = /^ERR Error running script |(?: script: [0-9a-f]{40}|@user_script)/

/**
 * By Redis reply. Sources: `processCommand`, `ACLCheckAllPerm` and `getAclErrorMessage` in redis/src (server.c, acl.c), `scriptVerifyACL`
 * and `scriptCall` in script.c of 7.0 and 7.2, `luaRedisGenericCommand` in scripting.c of 6.2;
 * https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/
 */
const REDIS_REFUSALS: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => StoreRefusal]> = [
  // 6.2 and 7.0: "this user has no permissions to run the 'xadd' command"; 7.2: "User x has no permissions …", and in scripts "ACL failure
  // in script: …".
  [
    /no permissions to run the '([\w|.-]{1,60})' command/i,
    ([, command]) => ({ reason: `its user may not run ${commandName(command)}`, remedy: GRANT })
  ],
  [/no permissions to access (?:one of the keys|a key|the '.{0,400}' key)|can't access at least one of the keys/i,
    () => ({ reason: 'its user may not use a key of this queue app', remedy: GRANT })],
  [/no permissions to access (?:one of the channels|a channel|the '.{0,400}' channel)|can't publish to the channel/i,
    () => ({ reason: 'its user may not use a channel of this queue app', remedy: GRANT })],
  [
    /The user executing the script can't run this command/,
    () => ({ reason: 'its user may not run a command that a script of ours needs', remedy: GRANT })
  ],
  [/^NOPERM\b|ACL failure in script/, () => ({ reason: 'its user lacks a right', remedy: GRANT })],
  // `rename-command`, and services without some commands.
  [
    /^ERR unknown (?:sub)?command ['`]?([\w|.-]{1,60})/i,
    ([, command]) => ({ reason: `it does not know ${commandName(command)}`, remedy: RENAMED })
  ],
  [/Unknown Redis command called from/, () => ({ reason: 'it does not know a command that a script of ours needs', remedy: RENAMED })],
  [
    /^ERR (?:command|this command) (?:is )?(?:not (?:allowed|available|supported|permitted)|disabled)/i,
    () => ({ reason: 'it does not allow a command', remedy: RENAMED })
  ],
  [/^NOAUTH\b/, () => ({ reason: 'it asks for a password', remedy: SIGN_IN })],
  [/^WRONGPASS\b|^ERR invalid password/, () => ({ reason: 'it does not accept the user name or the password', remedy: SIGN_IN })],
  [
    /^DENIED Redis is running in protected mode/,
    () => ({
      reason: 'it is in protected mode and answers only its own machine',
      remedy: 'Set a password on the server, or turn protected mode off'
    })
  ],
  [
    /^ERR DB index is out of range/,
    () => ({ reason: 'it has no database with this number', remedy: 'Correct the number in the URL, or raise `databases` on the server' })
  ]
]
const RENAMED = 'Restore the original name of the command (rename-command), or use another server; see docs/your-store.md'

function redisRefusal(message: string): StoreRefusal | null {
  for (const [pattern, describe] of REDIS_REFUSALS) {
    const match = pattern.exec(message)
    if (match) return describe(match)
  }
  return null
}

function commandName(command = ''): string {
  return command.replace('|', ' ').toUpperCase()
}

/** By SQLSTATE, PostgreSQL's appendix A: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_REFUSALS: Readonly<Record<string, (message: string) => StoreRefusal | null>> = {
  // PgBouncer uses protocol_violation for all its errors, most of which are temporary: `send_pooler_error` in pgbouncer/src/proto.c.
  '08P01': message =>
    FROM_POOLER.test(message)
      ? {
        reason: 'the pooler in front of it refuses the connection', remedy: 'See docs/your-store.md for what a pooler must allow'
      }
      : null,
  28000: () => ({ reason: 'it does not accept this user', remedy: SIGN_IN }),
  '28P01': () => ({ reason: 'it does not accept the user name or the password', remedy: SIGN_IN }),
  '3D000': () => ({ reason: 'the database does not exist', remedy: 'Create it, or correct its name in the URL' }),
  '3F000': () => ({ reason: 'a schema is missing', remedy: MIGRATE }),
  '42P01': message => ({ reason: named('a table is missing', message, /relation "([\w.]{1,130})"/), remedy: MIGRATE }),
  42704: () => ({ reason: 'a type or another object is missing', remedy: MIGRATE }),
  42883: () => ({ reason: 'a function is missing', remedy: MIGRATE }),
  42501: message => ({
    reason: named(
      'its user lacks a right', message, /^permission denied for ((?:table|schema|function|sequence|view|type|database) [\w.]{1,130})$/,
      ' on '
    ),
    remedy: GRANT
  })
}
const FROM_POOLER =
  /unsupported startup parameter|no such (?:database|user)|not allowed|authentication failed|(?:SSL|TLS) required|bouncer config error/i

/** Adds the name from the server's message, if the message is in English and the name is a plain one. */
function named(reason: string, message: string, pattern: RegExp, before = ': '): string {
  const name = pattern.exec(message)?.[1]
  return name === undefined ? reason : `${reason}${before}${name}`
}
