import { inBatches } from '../../../collections/in-batches.ts'

type Parameters = ReadonlyArray<string | number>

/**
 * Commands that take the server a few microseconds, and whose parameters limit the size of the response. A script blocks the server, so it
 * may contain only these.
 */
export type ShortCommand = 'EXISTS' | 'HMGET' | 'HSTRLEN' | 'LLEN' | 'LRANGE' | 'ZCARD' | 'ZCOUNT' | 'ZRANGE' | 'ZREVRANGE'
export type ShortRead = readonly [command: ShortCommand, key: string, ...Parameters]

/**
 * Runs commands and returns their responses. The arguments for each command are the number of its words (without the key), the number of
 * keys, the words, and the keys to run it for. Sent with EVAL_RO, so the server refuses writes:
 * https://redis.io/docs/latest/commands/eval_ro/
 */
export const READ_SCRIPT = `local answers, at = {}, 1
while at <= #ARGV do
  local words, keys = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local command = {ARGV[at + 2], '', unpack(ARGV, at + 3, at + 1 + words)}
  at = at + 2 + words
  for index = at, at + keys - 1 do
    command[2] = ARGV[index]
    answers[#answers + 1] = redis.pcall(unpack(command))
  end
  at = at + keys
end
return answers`

/** Fewer commands than this are sent one by one. */
const MIN_TOGETHER = 16
/**
 * The most commands, and the most words, of one script. It then takes the server about a millisecond. Words are limited because a command
 * may have hundreds of keys.
 */
const SCRIPTS = { most: 200, maxSize: 2_400, sizeOf: ({ length }: ShortRead) => length }

export interface ReadTogetherDependencies {
  /** Sends a command, or the script. */
  send(command: string, parameters: Parameters): Promise<unknown>
  /** Whether the server replied that the user may not run a command, or that it does not know it. */
  isRefusal(error: unknown): boolean
  /** Whether one script can read all keys. */
  mayUseScript(): boolean
}

/**
 * Sends many short commands in a few scripts, which takes this process a tenth of the time. After a first refusal, commands are sent one by
 * one: the server is older than Redis 7 or refuses the commands inside a script, or the user may not run EVAL_RO.
 * @returns a function that sends the commands and resolves to their responses in the same order, some of which may be errors. Never rejects
 */
export function createReadTogether({ send, isRefusal, mayUseScript }: ReadTogetherDependencies): (
  reads: readonly ShortRead[]
) => Promise<unknown[]> {
  let isRefused = false

  return async reads => {
    if (isRefused || reads.length < MIN_TOGETHER || !mayUseScript()) return await sendEach(reads)
    return (await Promise.all([...inBatches(reads, SCRIPTS)].map(sendTogether))).flat()
  }

  async function sendTogether(reads: readonly ShortRead[]): Promise<unknown[]> {
    try {
      const answers = await send('EVAL_RO', [READ_SCRIPT, 0, ...toArguments(reads)]) as unknown[]
      // The text of an error is different in a script, so commands that failed are sent again by themselves.
      const refused = answers.flatMap((answer, index) => answer instanceof Error ? [index] : [])
      const alone = await sendEach(refused.map(index => reads[index]!))
      for (const [at, index] of refused.entries()) answers[index] = alone[at]
      // Some servers let a script use only the keys that it declares. Dragonfly does so by default.
      isRefused ||= refused.length === reads.length && alone.some(answer => !(answer instanceof Error))
      return answers
    } catch (error) {
      if (!isRefusal(error)) return reads.map(() => error)
      isRefused = true
      return await sendEach(reads)
    }
  }

  function sendEach(reads: readonly ShortRead[]): Promise<unknown[]> {
    return Promise.all(reads.map(([command, ...parameters]) => send(command, parameters).catch((error: unknown) => error)))
  }
}

/** The arguments of the script. Consecutive commands that differ only in their key are sent once, with all their keys. */
function toArguments(reads: readonly ShortRead[]): Array<string | number> {
  const groups: Array<{ readonly read: ShortRead; readonly keys: string[] }> = []
  for (const read of reads) {
    const last = groups.at(-1)
    if (last !== undefined && hasSameWords(read, last.read)) last.keys.push(read[1])
    else groups.push({ read, keys: [read[1]] })
  }
  return groups.flatMap(({ read: [command, , ...parameters], keys }) =>
    [1 + parameters.length, keys.length, command, ...parameters, ...keys])
}

function hasSameWords(one: ShortRead, other: ShortRead): boolean {
  return one.length === other.length && one.every((word, index) => index === 1 || word === other[index])
}
