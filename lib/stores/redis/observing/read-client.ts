import type { Redis } from 'ioredis'
import { createTaskDashboardError } from '../../../errors.ts'
import { REDIS_START_MS, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { MINUTE_MS, SECOND_MS } from '../../../time/units.ts'
import { loadPackage } from '../../load-package.ts'
import { answerInfo } from '../checks/answer-info.ts'
import { infoField } from '../checks/info.ts'
import { connectClient, createClient } from '../clients/create-client.ts'
import { HASTY } from '../clients/open-clients.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { guardClient } from './guard-client.ts'
import { openObserved } from './open-observed.ts'
import type { ReadCommand } from './read-commands.ts'

/** A connection to a Redis server of others, which can only read. */
export interface ReadClient {
  /** The URL without credentials. */
  readonly label: string
  /** Equal for two sources that open the same server and database. Reveals no credentials. */
  readonly identity: string
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Sends one command. Rejects within 1.5 s. Commands that are sent at once arrive in their order. */
  read<Answer>(command: ReadCommand, ...parameters: ReadonlyArray<string | number>): Promise<Answer>
  /** The same on a connection of its own, for an answer of any size. Rejects with DeadlineError after a minute. */
  readPatiently<Answer>(command: ReadCommand, ...parameters: ReadonlyArray<string | number>): Promise<Answer>
  /** The server's clock; that of this process if the server does not tell it. Milliseconds since the epoch. */
  now(): Promise<number>
  /** One round trip in milliseconds. */
  ping(timeoutMs?: number): Promise<number>
  /** A field of INFO; null if the server does not tell. */
  info(field: string): Promise<string | null>
}

/** For an answer of any size: the socket's own limit counts from the last byte. */
const PATIENT_MS = MINUTE_MS

export function createReadClient(source: RedisSource, onError: (error: Error) => void): ReadClient {
  const { label, identity } = source
  let opened: Redis | undefined
  let starting: Promise<void> | undefined
  let isStopped = false
  const patient = new Set<Redis>()

  const read = <Answer>(command: ReadCommand, ...parameters: ReadonlyArray<string | number>): Promise<Answer> => {
    if (opened === undefined) return Promise.reject(createTaskDashboardError(isStopped ? 'ALREADY_STOPPED' : 'NOT_STARTED'))
    // The client puts a deadline on each command.
    return opened.call(command.toLowerCase(), ...parameters) as Promise<Answer>
  }

  return {
    label,
    identity,
    start() {
      if (isStopped) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= openObserved(source, onError).then(client => { opened = client }))
    },
    async stop() {
      isStopped = true
      await starting?.catch(() => {})
      const client = opened
      opened = undefined
      client?.disconnect()
      for (const each of patient) each.disconnect()
    },
    read,
    async readPatiently<Answer>(command: ReadCommand, ...parameters: ReadonlyArray<string | number>) {
      if (opened === undefined) throw createTaskDashboardError(isStopped ? 'ALREADY_STOPPED' : 'NOT_STARTED')
      const { Redis } = await loadPackage(() => import('ioredis'), 'ioredis', source.scheme)
      const client = guardClient(createClient(Redis, source, { ...HASTY, commandTimeout: PATIENT_MS }) as Redis)
      answerInfo(client)
      patient.add(client)
      // The command reports it.
      client.on('error', () => {})
      try {
        // Not a DeadlineError, which would say that the answer is too large.
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
        const [seconds, microseconds] = await read<[string, string]>('TIME')
        return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
      } catch (error) {
        if (isRefusal(error)) return Date.now()
        throw error
      }
    },
    async ping(timeoutMs = SERVER_PATIENCE_MS) {
      const startedAt = performance.now()
      // A user with few rights may not run PING, and every user of a queue may read a key of it. A refusal is an answer.
      const asked = read('EXISTS', 'bull:ping').catch((error: unknown) => { if (!isRefusal(error)) throw error })
      await withDeadline(asked, timeoutMs, 'no answer')
      return performance.now() - startedAt
    },
    info: field => read<string>('INFO').then(text => infoField(text, field) ?? null, () => null)
  }
}

/** Whether the server answered that the user may not do this, or that it does not know the command. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:NOPERM|ERR unknown command|ERR command is not)/i.test(error.message)
}
