/**
 * Everything that may be sent to a server that is only observed, besides the script in `read-together.ts`. Each of these commands only
 * reads, whatever its parameters. SORT and GEORADIUS are missing because they can store a result, and other scripts because no one can tell
 * what they do.
 */
export const READ_COMMANDS = [
  'EXISTS', 'GET', 'HEXISTS', 'HGET', 'HLEN', 'HMGET', 'HRANDFIELD', 'HSTRLEN', 'INFO', 'LLEN', 'LPOS', 'LRANGE', 'PTTL', 'SCAN', 'SCARD',
  'SMEMBERS', 'SSCAN', 'TIME', 'TYPE', 'XINFO', 'XRANGE', 'XREAD', 'XREVRANGE', 'ZCARD', 'ZCOUNT', 'ZRANGE', 'ZRANGEBYSCORE', 'ZREVRANGE',
  'ZREVRANGEBYSCORE', 'ZSCORE'
] as const
export type ReadCommand = (typeof READ_COMMANDS)[number]

/** What a client sends for its own connection. Null: with any parameters; otherwise only these subcommands. */
const OF_CONNECTION: ReadonlyMap<string, readonly string[] | null> = new Map<string, readonly string[] | null>([
  ['AUTH', null], ['HELLO', null], ['PING', null], ['QUIT', null], ['SELECT', null],
  ['CLIENT', ['SETINFO']], ['CLUSTER', ['SLOTS', 'INFO']]
])

const READS: ReadonlySet<string> = new Set(READ_COMMANDS)

/** Whether a command may be sent to a server that is only observed. */
export function isHarmless(name: string, parameters: readonly unknown[]): boolean {
  const command = name.toUpperCase()
  if (READS.has(command)) return true
  const subcommands = OF_CONNECTION.get(command)
  if (subcommands === undefined) return false
  return subcommands === null || subcommands.includes(String(parameters[0]).toUpperCase())
}
