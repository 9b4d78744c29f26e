import type { Cluster, Redis } from 'ioredis'
import { withDeadline } from '../../../time/deadline.ts'
import type { RedisClient } from '../../store.ts'

/** The part of ioredis' command that is used here. Its client calls `setTimeout` with `commandTimeout`. */
interface SentCommand {
  readonly promise: Promise<unknown>
  setTimeout(ms: number): void
  reject(error: Error): void
}

type Send = (command: SentCommand, ...rest: unknown[]) => unknown

/**
 * Replaces ioredis' command timeout with `withDeadline`. After the process was blocked, ioredis' own timer fires before the response is
 * read, so a task that calculates for two seconds would make the server look unresponsive.
 */
export function extendDeadlines<Client extends RedisClient>(client: Client): Client {
  const own = Object.hasOwn(client, 'sendCommand') ? client.sendCommand as Send : null
  client.sendCommand = ((command: SentCommand, ...rest: unknown[]) => {
    let isSet = false
    command.setTimeout = ms => {
      // A command that is sent again, for example to another node of a cluster, keeps its first deadline.
      if (isSet) return
      isSet = true
      const late = new Error('Command timed out')
      // Only if it is late: the client of a cluster sends a command again that is rejected with an error of the connection.
      withDeadline(command.promise, ms, () => late).catch((error: unknown) => { if (error === late) command.reject(late) })
    }
    // Looked up for each command: tracing may replace the method of the class later.
    return (own ?? (Object.getPrototypeOf(client) as { sendCommand: Send }).sendCommand).call(client, command, ...rest)
  }) as Client['sendCommand']
  // Commands sent directly to a node do not pass through the cluster's client.
  if (client.isCluster) (client as Cluster).on('+node', (node: Redis) => { extendDeadlines(node) })
  return client
}
