import type { Cluster, Redis } from 'ioredis'
import { withDeadline } from '../../../time/deadline.ts'
import type { RedisClient } from '../../store.ts'

/** The part of ioredis' command that is looked at. Its client calls `setTimeout` with `commandTimeout`. */
interface SentCommand {
  readonly promise: Promise<unknown>
  setTimeout(ms: number): void
  reject(error: Error): void
}

/**
 * Makes a client wait for a response by `withDeadline`. After the process was blocked, ioredis' own timer fires before the response is
 * read, so a task that calculates for two seconds would make the server look silent.
 */
export function extendDeadlines<Client extends RedisClient>(client: Client): Client {
  const send = client.sendCommand.bind(client) as (command: SentCommand, ...rest: unknown[]) => unknown
  client.sendCommand = ((command: SentCommand, ...rest: unknown[]) => {
    let isSet = false
    command.setTimeout = ms => {
      // A command that is sent again, such as to another node of a cluster, keeps its first deadline.
      if (isSet) return
      isSet = true
      withDeadline(command.promise, ms, () => new Error('Command timed out')).catch((error: Error) => { command.reject(error) })
    }
    return send(command, ...rest)
  }) as Client['sendCommand']
  // What is sent to a node directly does not pass the client of the cluster.
  if (client.isCluster) (client as Cluster).on('+node', (node: Redis) => { extendDeadlines(node) })
  return client
}
