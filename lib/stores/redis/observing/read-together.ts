import { inBatches } from '../../../collections/in-batches.ts'

type Parameters = ReadonlyArray<string | number>

/** Commands that take the server a few microseconds, and whose answers their parameters limit. A script blocks the server meanwhile. */
export type ShortCommand = 'EXISTS' | 'HMGET' | 'HSTRLEN' | 'LLEN' | 'LRANGE' | 'ZCARD' | 'ZCOUNT' | 'ZRANGE' | 'ZREVRANGE'
export type ShortRead = readonly [command: ShortCommand, key: string, ...Parameters]

/**
 * Runs commands and returns their answers. Each is given as the numbers of its words and of keys, its words without its key, and the keys
 * for which it runs. Sent by EVAL_RO, so the server refuses a write, whatever they are: https://redis.io/docs/latest/commands/eval_ro/
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

/** Fewer are sent one by one. */
const FEW = 16
/** Commands and words of a script. It takes the server about a millisecond then: a command may have hundreds of keys. */
const SCRIPTS = { most: 200, maxSize: 2_400, sizeOf: ({ length }: ShortRead) => length }

export interface ReadTogetherDependencies {
  /** Sends a command, or the script. */
  send(command: string, parameters: Parameters): Promise<unknown>
  /** Whether the server answered that the user may not run a command, or that it does not know it. */
  isRefusal(error: unknown): boolean
  /** Whether one script can read all keys. */
  mayUseScript(): boolean
}

/**
 * Sends many short commands in few, which takes this process a tenth of the time. A server before Redis 7, one that refuses the commands
 * of the script, or a user who may not run EVAL_RO, gets them one by one from the first refusal on.
 * @returns sends them; resolves to their answers, in their order, of which some may be errors. Never rejects
 */
export function createReadTogether({ send, isRefusal, mayUseScript }: ReadTogetherDependencies): (
  reads: readonly ShortRead[]
) => Promise<unknown[]> {
  let isRefused = false

  return async reads => {
    if (isRefused || reads.length < FEW || !mayUseScript()) return await sendEach(reads)
    return (await Promise.all([...inBatches(reads, SCRIPTS)].map(sendTogether))).flat()
  }

  async function sendTogether(reads: readonly ShortRead[]): Promise<unknown[]> {
    try {
      const answers = await send('EVAL_RO', [READ_SCRIPT, 0, ...toArguments(reads)]) as unknown[]
      // In a script, an error has another text.
      const refused = answers.flatMap((answer, index) => answer instanceof Error ? [index] : [])
      const alone = await sendEach(refused.map(index => reads[index]!))
      for (const [at, index] of refused.entries()) answers[index] = alone[at]
      // Some servers allow a script only keys that it declares: Dragonfly, without a setting.
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

/** What the script gets. The words of a command are sent once for all keys that follow each other with the same ones. */
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
