import type { StoreOptions } from '../../store.ts'

/**
 * Every command that our scripts, BullMQ's scripts and the clients need, and how `check-rights.ts` tries it on a key `K` with a short-lived
 * string: the command fails because of its type or arguments, or changes nothing permanent. Redis checks rights before both, but the number
 * of arguments before the rights.
 * A test runs everything with exactly these rights, and compares them with all scripts.
 */
const COMMANDS = {
  set: ['K', '1', 'PX', '10000'],
  eval: ['return 1', '1', 'K'], evalsha: ['0000000000000000000000000000000000000000', '1', 'K'],
  time: [], type: ['K'], exists: ['K'], get: ['K'], incr: ['K'], incrby: ['K', 'x'], decrby: ['K', 'x'],
  expireat: ['K', 'x'], pexpire: ['K', '10000'], pttl: ['K'],
  hdel: ['K', 'f'], hexists: ['K', 'f'], hget: ['K', 'f'], hgetall: ['K'], hincrby: ['K', 'f', 'x'], hincrbyfloat: ['K', 'f', 'x'],
  hkeys: ['K'], hlen: ['K'],
  hmget: ['K', 'f'], hmset: ['K', 'f', 'v'], hscan: ['K', '0'], hset: ['K', 'f', 'v'], hsetnx: ['K', 'f', 'v'], hstrlen: ['K', 'f'],
  hvals: ['K'],
  lindex: ['K', '0'], llen: ['K'], lpos: ['K', 'e'], lpush: ['K', 'e'], lrange: ['K', '0', '0'], lrem: ['K', '0', 'e'],
  ltrim: ['K', '0', '0'],
  rpoplpush: ['K', 'K'], rpush: ['K', 'e'],
  sadd: ['K', 'm'], scard: ['K'], smembers: ['K'], srem: ['K', 'm'],
  xadd: ['K', '*', 'f', 'v'], xtrim: ['K', 'MAXLEN', '0'],
  bzpopmin: ['K', '0.001'], zadd: ['K', 'x', 'm'], zcard: ['K'], zcount: ['K', '0', '0'], zmscore: ['K', 'm'], zpopmin: ['K'],
  zrange: ['K', '0', '0'],
  zrangebyscore: ['K', '0', '0'], zrem: ['K', 'm'], zremrangebyrank: ['K', '0', '0'], zremrangebyscore: ['K', '0', '0'],
  zrevrange: ['K', '0', '0'],
  zrevrangebyscore: ['K', '0', '0'], zscore: ['K', 'm'],
  multi: [], exec: [],
  persist: ['K'], unlink: ['K'], del: ['K']
} as const satisfies Record<string, readonly string[]>

export type NeededCommand = keyof typeof COMMANDS

/** Only a broker needs these; a result backend alone runs no queue. */
const QUEUE_ALONE: ReadonlySet<string> = new Set<NeededCommand>([
  'bzpopmin', 'decrby', 'exec', 'hmset', 'hstrlen', 'incr', 'incrby', 'lindex', 'llen', 'lpos', 'lpush', 'lrange', 'lrem', 'ltrim', 'multi',
  'pttl', 'rpoplpush', 'rpush', 'scard', 'type', 'xadd', 'xtrim', 'zpopmin', 'zremrangebyrank', 'zremrangebyscore'
])

/** In the order they are tried. */
export function neededCommands(role: StoreOptions['role']): NeededCommand[] {
  return (Object.keys(COMMANDS) as NeededCommand[]).filter(command => role === 'broker' || !QUEUE_ALONE.has(command))
}

/** The `ACL SETUSER` rules for a user with exactly the rights needed. */
export function aclRules(role: StoreOptions['role'], namespace: string): string {
  return [`~{${namespace}}*`, ...neededCommands(role).map(command => `+${command}`).sort()].join(' ')
}

/** @returns the arguments that a command is tried with */
export function trialOf(command: NeededCommand, key: string): string[] {
  return COMMANDS[command].map(part => part === 'K' ? key : part)
}
