import type { Cluster, Redis } from 'ioredis'
import { startDeadline, withDeadline } from '../../../time/deadline.ts'
import type { RedisClient } from '../../store.ts'

/** The part of ioredis' command that is used here. Its client calls `setTimeout` with `commandTimeout`. */
interface SentCommand {
  readonly promise: Promise<unknown>
  setTimeout(ms: number): void
  reject(error: Error): void
}

/** The private part of ioredis' client that is used here. It calls `setSocketTimeout` when it starts to wait for data. */
interface Connected {
  readonly stream: Redis['stream']
  readonly options: { readonly socketTimeout?: number }
  /** Cleared when data arrives, and when the connection closes. */
  socketTimeoutTimer?: NodeJS.Timeout | undefined
  setSocketTimeout(): void
}

type Send = (command: SentCommand, ...rest: unknown[]) => unknown

/**
 * Replaces ioredis' timeouts of commands and of the socket. After the process was blocked, ioredis' own timers fire before the response is
 * read, so a task that calculates for some seconds would make the server look unresponsive.
 */
export function extendDeadlines<Client extends RedisClient>(client: Client): Client {
  const own = Object.hasOwn(client, 'sendCommand') ? client.sendCommand as Send : null
  client.sendCommand = ((command: SentCommand, ...rest: unknown[]) => {
    command.setTimeout = ms => { setDeadline(command, ms) }
    // Looked up for each command: tracing may replace the method of the class later.
    return (own ?? (Object.getPrototypeOf(client) as { sendCommand: Send }).sendCommand).call(client, command, ...rest)
  }) as Client['sendCommand']
  // Commands sent directly to a node do not pass through the cluster's client.
  if (client.isCluster) (client as Cluster).on('+node', (node: Redis) => { extendDeadlines(node) })
  else extendSocketTimeout(client as unknown as Connected)
  return client
}

function extendSocketTimeout(client: Connected): void {
  const begin = client.setSocketTimeout
  client.setSocketTimeout = () => {
    begin.call(client)
    const { stream, options: { socketTimeout = 0 } } = client
    clearTimeout(client.socketTimeoutTimer)
    startDeadline(socketTimeout, {
      onTimer: timer => { client.socketTimeoutTimer = timer },
      onLate() {
        client.socketTimeoutTimer = undefined
        stream.destroy(new Error(`Socket timeout. Expecting data, but didn't receive any in ${socketTimeout}ms.`))
      }
    })
  }
}

/** The promises that have a deadline. */
const limited = new WeakSet<Promise<unknown>>()

/** A command that is sent again, for example to another node of a cluster, keeps its first deadline, unless a pipeline made it anew. */
function setDeadline(command: SentCommand, ms: number): void {
  const { promise } = command
  if (limited.has(promise)) return
  limited.add(promise)
  let isLate = false
  withDeadline(promise, ms, () => {
    isLate = true
    return new Error('Command timed out')
  }).catch((error: Error) => {
    // Any other error is the command's own. A cluster's pipeline may already have sent the command again, which must not fail with it.
    if (isLate) command.reject(error)
  })
}
