import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RedisOptions } from 'ioredis'
import { PROBE_ANSWER_MS, PROBE_GREETING_MS, REDIS_PROBED_UNTIL_MS } from '../../../time/budgets.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import type { RedisSource } from '../source/redis-source.ts'

const FULL = /^-ERR max number of clients/

const NOT_THERE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT', 'EACCES'])

/**
 * Why a client was not let in, if a probe can tell more than the error that the client saw: a server that is full, or has TLS
 * unexpectedly, breaks connections. A server that replied has given its reason.
 * @param startedAt when the attempt began, by `performance.now()`; late in it, there is no time for a probe
 */
export async function probedReason(source: RedisSource, cause: Error, startedAt: number): Promise<string | null> {
  const isHere = cause.name !== 'ReplyError' && !('code' in cause && NOT_THERE.has(String(cause.code)))
  const hasTime = performance.now() - startedAt < REDIS_PROBED_UNTIL_MS
  return isHere && hasTime && source.create === null && !source.options.sentinels ? await probeServer(source.options) : null
}

/**
 * Why a server that accepts connections did not let a client in. Checks on connections of its own, because a client only sees a broken
 * connection. Takes at most 1.2 s.
 * @returns null if it found no such reason
 */
async function probeServer({ host, port, path, family, tls }: RedisOptions): Promise<string | null> {
  const address = path ? { path } : { host: host ?? 'localhost', port: port ?? 6_379, ...(family !== undefined && { family }) }
  const said = await ask(connect(address), null)
  if (FULL.test(said)) return 'the server is full: as many clients are connected as its `maxclients` allows'
  if (tls) {
    if (/^[+-]/.test(await ask(connect(address), 'PING\r\n')))
      return 'it does not use TLS: write redis: instead of rediss:, or leave `tls` out'
    // The server's TLS alert comes after the handshake, and is lost if something was written in between.
    const alert = await errorOf(connectTls({ ...address, ...tls }))
    return alert?.code === undefined || !alert.code.includes('ALERT') ? null : failureReason(alert)
  }
  // The certificate is not verified here, so this sends neither credentials nor commands.
  return await isEncrypted(connectTls({ ...address, rejectUnauthorized: false }))
    ? 'it accepts only TLS: write rediss: instead of redis:, or set `tls`'
    : null
}

/** The server's response to `text`, or what it sends unasked if that is null; an empty text if it sends nothing. */
function ask(socket: Socket, text: string | null): Promise<string> {
  return new Promise(resolve => {
    const end = (said: string): void => {
      socket.destroy()
      resolve(said)
    }
    socket.setTimeout(text === null ? PROBE_GREETING_MS : PROBE_ANSWER_MS, () => end(''))
    socket.on('error', () => end(''))
    socket.once('close', () => end(''))
    socket.once('data', data => end(data.toString('latin1')))
    if (text !== null) socket.write(text)
  })
}

function errorOf(socket: Socket): Promise<NodeJS.ErrnoException | null> {
  return new Promise(resolve => {
    const end = (error: NodeJS.ErrnoException | null): void => {
      socket.destroy()
      resolve(error)
    }
    socket.setTimeout(PROBE_ANSWER_MS, () => end(null))
    socket.on('error', end)
    socket.once('close', () => end(null))
  })
}

function isEncrypted(socket: ReturnType<typeof connectTls>): Promise<boolean> {
  return new Promise(resolve => {
    const end = (encrypted: boolean): void => {
      socket.destroy()
      resolve(encrypted)
    }
    socket.setTimeout(PROBE_ANSWER_MS, () => end(false))
    socket.once('secureConnect', () => end(true))
    socket.on('error', (error: NodeJS.ErrnoException) => end(/ALERT/.test(error.code ?? '')))
    socket.once('close', () => end(false))
  })
}
