import type { ReadCommand } from './read-commands.ts'

type Parameters = ReadonlyArray<string | number>

/**
 * Runs the commands that it gets one after the other, each with the number of its words before it, and returns their answers. Sent by
 * EVAL_RO, so the server refuses a write, whatever they are: https://redis.io/docs/latest/commands/eval_ro/
 */
export const READ_SCRIPT = `local answers, at = {}, 1
while at <= #ARGV do
  local last = at + ARGV[at]
  answers[#answers + 1] = redis.pcall(unpack(ARGV, at + 1, last))
  at = last + 1
end
return answers`

/** Those that take the server a few microseconds, and whose answers their parameters limit. The script blocks it meanwhile. */
const SHORT: ReadonlySet<ReadCommand> = new Set(
  ['EXISTS', 'HMGET', 'HSTRLEN', 'LLEN', 'LRANGE', 'ZCARD', 'ZCOUNT', 'ZRANGE', 'ZREVRANGE'] as const
)

/** Fewer are sent one by one. */
const FEW = 16
/** The script takes a fraction of a millisecond then. */
const MAX_TOGETHER = 200

interface Waiting {
  readonly words: Parameters
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/** @property send one command, or the script */
export interface ReadTogetherDependencies {
  send(command: string, parameters: Parameters): Promise<unknown>
  /** Whether the server answered that the user may not run a command, or that it does not know it. */
  isRefusal(error: unknown): boolean
}

/**
 * Sends short commands of one turn in one, which costs this process a tenth of as many commands. A server before Redis 7, or a user who may
 * not run EVAL_RO, gets them one by one from then on.
 * @returns sends one command; those sent at once arrive in their order
 */
export function createReadTogether({ send, isRefusal }: ReadTogetherDependencies): (
  command: ReadCommand, parameters: Parameters
) => Promise<unknown> {
  let waiting: Waiting[] = []
  let isRefused = false

  return (command, parameters) => {
    if (isRefused || !SHORT.has(command)) {
      flush()
      return send(command, parameters)
    }
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(flush)
      waiting.push({ words: [command, ...parameters], resolve, reject })
      if (waiting.length === MAX_TOGETHER) flush()
    })
  }

  function flush(): void {
    const commands = waiting
    waiting = []
    if (commands.length < FEW) for (const each of commands) sendAlone(each)
    else void sendTogether(commands)
  }

  async function sendTogether(commands: readonly Waiting[]): Promise<void> {
    try {
      const asked = commands.flatMap(({ words }) => [words.length, ...words])
      const answers = await send('EVAL_RO', [READ_SCRIPT, 0, ...asked]) as unknown[]
      // An error has the text of its command only without the script.
      for (const [index, each] of commands.entries())
        if (answers[index] instanceof Error) sendAlone(each)
        else each.resolve(answers[index])
    } catch (error) {
      if (!isRefusal(error)) {
        for (const { reject } of commands) reject(error)
        return
      }
      isRefused = true
      for (const each of commands) sendAlone(each)
    }
  }

  function sendAlone({ words: [command, ...parameters], resolve, reject }: Waiting): void {
    send(String(command), parameters).then(resolve, reject)
  }
}
