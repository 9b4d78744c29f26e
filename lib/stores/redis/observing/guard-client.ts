import type { RedisClient } from '../../store.ts'
import { isHarmless } from './read-commands.ts'
import { READ_SCRIPT } from './read-together.ts'

/** The part of ioredis' command that is used here. */
interface SentCommand {
  readonly name: string
  readonly args: readonly unknown[]
  readonly promise: Promise<unknown>
  reject(error: Error): void
}

/**
 * Makes it impossible to change anything with a client: a command is rejected before it is sent unless it is known to only read. Methods,
 * `call`, pipelines, transactions and scripts all go through this check. A duplicate would not, so the client cannot be duplicated.
 * @param mayRun scripts that may be sent as well
 */
export function guardClient<Client extends RedisClient>(client: Client, mayRun: ReadonlySet<string> = new Set()): Client {
  const send = client.sendCommand.bind(client) as (command: SentCommand, ...rest: unknown[]) => unknown
  const guarded = (command: SentCommand, ...rest: unknown[]): unknown => {
    if (isHarmless(command.name, command.args) || isAllowedScript(command)) return send(command, ...rest)
    command.reject(new Error(`${command.name.toUpperCase().slice(0, 40)} is not sent: this server is only observed`))
    return command.promise
  }
  function isAllowedScript({ name, args }: SentCommand): boolean {
    const script = String(args[0])
    switch (name.toLowerCase()) {
      case 'eval_ro': return script === READ_SCRIPT
      case 'eval': return mayRun.has(script)
      default: return false
    }
  }
  Object.defineProperties(client, {
    sendCommand: { value: guarded, writable: false, configurable: false },
    duplicate: { value: refuseDuplicate, writable: false, configurable: false }
  })
  return client
}

function refuseDuplicate(): never {
  throw new Error('A client that only observes has no duplicates')
}
