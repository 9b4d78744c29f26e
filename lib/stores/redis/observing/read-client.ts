import type { Cluster, Redis } from 'ioredis'
import { createTaskDashboardError } from '../../../errors.ts'
import { REDIS_START_MS, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { MINUTE_MS, SECOND_MS } from '../../../time/units.ts'
import { loadPackage } from '../../load-package.ts'
import { openStore } from '../../open-store.ts'
import type { RedisClient } from '../../store.ts'
import { answerInfo } from '../checks/answer-info.ts'
import { infoField } from '../checks/info.ts'
import { connectClient, createClient } from '../clients/create-client.ts'
import { HASTY } from '../clients/open-clients.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { guardClient } from './guard-client.ts'
import { hashSlotOf, hashTagOf } from './hash-slot.ts'
import { openObserved } from './open-observed.ts'
import { isHarmless, type ReadCommand } from './read-commands.ts'
import { createReadTogether, type ShortRead } from './read-together.ts'
import { writeTogether } from './write-together.ts'

type Parameters = ReadonlyArray<string | number>

/** A connection to someone else's Redis server or cluster, which can only read. */
export interface ReadClient {
  /** The URL without credentials. */
  readonly label: string
  /** Equal for two sources that open the same server and database. Reveals no credentials. */
  readonly identity: string
  /** The hash tag that all its keys share, for a client made by `forKey` in a cluster; '' for all keys. */
  readonly tag: string
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /**
   * Sends one command. In a cluster it goes to the node that has the key. Rejects within 1.5 s. Commands sent at once arrive in their
   * order.
   */
  read<Answer>(command: ReadCommand, ...parameters: Parameters): Promise<Answer>
  /**
   * Sends many short commands: together if the server allows it, otherwise one by one. The data may change between two of them. Resolves to
   * their responses in the same order, with an error in place of each command that was refused or timed out. Never rejects.
   */
  readAll(reads: readonly ShortRead[]): Promise<unknown[]>
  /** The same as `read`, but on a connection of its own and for a response of any size. Rejects with a DeadlineError after a minute. */
  readPatiently<Answer>(command: ReadCommand, ...parameters: Parameters): Promise<Answer>
  /** The server's clock, or this process's clock if the server refuses TIME. Milliseconds since the epoch. */
  now(): Promise<number>
  /** One round trip in milliseconds; in a cluster, that of the slowest node. */
  ping(timeoutMs?: number): Promise<number>
  /** Fields of INFO, in this order; null for each that is missing, or if INFO fails. */
  info(...fields: readonly string[]): Promise<ReadonlyArray<string | null>>
  /** One `read` for each node, for commands without a key. A single server is its only node. */
  nodes(): ReadonlyArray<ReadClient['read']>
  /** A client for the keys with the same hash tag. In a cluster, `now`, `ping` and `info` then use the node that has these keys. */
  forKey(key: string): ReadClient
}

/** For a response of any size. The socket has a timeout of its own, which starts again with every byte received. */
const PATIENT_MS = MINUTE_MS

export function createReadClient(source: RedisSource, onError: (error: Error) => void): ReadClient {
  const { label, identity } = source
  let opened: RedisClient | undefined
  let starting: Promise<void> | undefined
  let isStopped = false
  const patient = new Set<Redis>()

  function open(): RedisClient {
    if (opened === undefined) throw createTaskDashboardError(isStopped ? 'ALREADY_STOPPED' : 'NOT_STARTED')
    return opened
  }

  async function send(command: string, parameters: Parameters): Promise<unknown> {
    const client = open()
    if (client.isCluster && command === 'EXISTS' && parameters.length > 1) return await countExisting(client as Cluster, parameters)
    if (!client.isCluster) writeTogether((client as Redis).stream)
    // The client puts a deadline on each command.
    return await client.call(command.toLowerCase(), ...parameters)
  }

  /**
   * While a slot moves, its nodes accept commands for a single key. A command for several keys is refused until the move has ended if any
   * of the keys does not exist. ioredis would retry it for a second, so it is sent directly to the node, and if it is refused, the keys are
   * checked one by one.
   */
  async function countExisting(cluster: Cluster, keys: Parameters): Promise<unknown> {
    try {
      return await readFrom(nodeOf(cluster, String(keys[0])), 'EXISTS', keys)
    } catch (error) {
      if (!isRedirection(error)) throw error
      const counts = await Promise.all(keys.map(key => send('EXISTS', [key])))
      return counts.reduce<number>((sum, count) => sum + Number(count), 0)
    }
  }

  const read: ReadClient['read'] = async <Answer>(command: ReadCommand, ...parameters: Parameters) =>
    await send(command, parameters) as Answer

  // The keys of a cluster are on several nodes, so one script cannot read them all.
  const readAll = createReadTogether({ send, isRefusal, mayUseScript: () => opened?.isCluster === false })

  async function start(): Promise<void> {
    if (isStopped) throw createTaskDashboardError('ALREADY_STOPPED')
    await (starting ??= openStore(async () => { opened = await openObserved(source, onError) }, () => isStopped))
  }

  async function stop(): Promise<void> {
    isStopped = true
    await starting?.catch(() => {})
    const client = opened
    opened = undefined
    client?.disconnect()
    for (const each of patient) each.disconnect()
  }

  /** @param key in a cluster, a key that the node has */
  function clientOf(key: string, tag: string): ReadClient {
    /** In a cluster, commands without a key would otherwise go to any node. */
    const readHere: ReadClient['read'] = async (command, ...parameters) => {
      const client = open()
      return client.isCluster ? await readFrom(nodeOf(client as Cluster, key), command, parameters) : await read(command, ...parameters)
    }
    return {
      label, identity, tag, start, stop, read, readAll,
      async readPatiently<Answer>(command: ReadCommand, ...parameters: Parameters) {
        const current = open()
        const { Redis } = await loadPackage(() => import('ioredis'), 'ioredis', source.scheme)
        const from = current.isCluster ? toNode(source, nodeOf(current as Cluster, key)) : source
        const client = guardClient(createClient(Redis, from, { ...HASTY, commandTimeout: PATIENT_MS }) as Redis)
        answerInfo(client)
        patient.add(client)
        // The command reports the error.
        client.on('error', () => {})
        try {
          // Not a DeadlineError, which would mean that the response is too large.
          await withDeadline(connectClient(client), REDIS_START_MS, () => new Error('no connection'))
          const asked = client.call(command.toLowerCase(), ...parameters) as Promise<Answer>
          return await withDeadline(asked, PATIENT_MS - SECOND_MS, 'no answer')
        } finally {
          patient.delete(client)
          client.disconnect()
        }
      },
      async now() {
        try {
          const [seconds, microseconds] = await readHere<[string, string]>('TIME')
          return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
        } catch (error) {
          if (isRefusal(error)) return Date.now()
          throw error
        }
      },
      async ping(timeoutMs = SERVER_PATIENCE_MS) {
        const startedAt = performance.now()
        // A user with few rights may not run PING, but every user of a queue may read one of its keys. A refusal also counts as a response.
        const asked = read('EXISTS', key).catch((error: unknown) => { if (!isRefusal(error)) throw error })
        await withDeadline(asked, timeoutMs, 'no answer')
        return performance.now() - startedAt
      },
      info: (...fields) => readHere<string>('INFO')
        .then(text => fields.map(field => infoField(text, field) ?? null), () => fields.map(() => null)),
      nodes,
      forKey
    }
  }

  function nodes(): ReadonlyArray<ReadClient['read']> {
    const client = open()
    if (!client.isCluster) return [read]
    return mastersOf(client as Cluster).map((node): ReadClient['read'] => (command, ...parameters) =>
      readFrom(node, command, parameters))
  }

  function forKey(key: string): ReadClient {
    return open().isCluster ? clientOf(key, hashTagOf(key)) : whole
  }

  const single = clientOf('bull:ping', '')
  const whole: ReadClient = {
    ...single,
    async ping(timeoutMs = SERVER_PATIENCE_MS) {
      if (!open().isCluster) return await single.ping(timeoutMs)
      const startedAt = performance.now()
      const asked = nodes().map(node => node('TIME').catch((error: unknown) => { if (!isRefusal(error)) throw error }))
      await withDeadline(Promise.all(asked), timeoutMs, 'no answer')
      return performance.now() - startedAt
    }
  }
  return whole
}

/** A cluster client's guard does not cover the connections to its nodes, so the command is checked here. */
async function readFrom<Answer>(node: Redis, command: ReadCommand, parameters: Parameters): Promise<Answer> {
  if (!isHarmless(command, parameters)) throw new Error(`${command} is not sent: this server is only observed`)
  return await node.call(command.toLowerCase(), ...parameters) as Answer
}

/** Throws if a master is unreachable, because ioredis removes it from its list. */
function mastersOf(cluster: Cluster): readonly Redis[] {
  const masters = cluster.nodes('master')
  const known = new Set(masters.map(addressOf))
  const away = cluster.slots.find(([address] = []) => address !== undefined && !known.has(address))
  if (away !== undefined) throw new Error(`the node ${away[0]} of the cluster cannot be reached`)
  return masters
}

function addressOf({ options: { host, port } }: Redis): string {
  return `${host}:${port}`
}

/** The master that has a key, as far as the client knows. If the key has moved, that node replies with a redirection. */
function nodeOf(cluster: Cluster, key: string): Redis {
  const masters = cluster.nodes('master')
  const address = cluster.slots[hashSlotOf(key)]?.[0]
  const node = masters.find(node => addressOf(node) === address) ?? masters[0]
  if (node === undefined) throw new Error('No node of the cluster is known')
  return node
}

function toNode(source: RedisSource, { options: { host, port } }: Redis): RedisSource {
  const place = { ...(host !== undefined && { host }), ...(port !== undefined && { port }) }
  return { ...source, create: null, options: { ...source.options, ...place } }
}

/** Whether a node of a cluster replied that the keys are on another node, or on two nodes while they move. */
function isRedirection(error: unknown): boolean {
  return error instanceof Error && /^(?:MOVED|ASK|TRYAGAIN) /.test(error.message)
}

/** Whether the server replied that the user may not run the command, or that it does not know it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:NOPERM|ERR unknown command|ERR command is not)/i.test(error.message)
}

/** Whether the server replied that the user may not run the command, or not for this key. */
export function isMissingRight(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOPERM')
}

/** Whether the server replied that the user may not read a key, although it may run the command. */
export function isRefusedKey(error: unknown): error is Error {
  return error instanceof Error && /^NOPERM .{0,200}no permissions to access (?:one of the keys|a key|the ')/i.test(error.message)
}
