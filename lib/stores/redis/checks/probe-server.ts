import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RedisOptions } from 'ioredis'
import { failureReason } from '../../failures/failure-reason.ts'

const GREETING_MS = 200
const ANSWER_MS = 500
const FULL = /^-ERR max number of clients/

/**
 * Why a server that takes connections did not let one through: asked on connections of its own, since a client hears of it as a connection
 * that broke. Takes less than a second.
 * @returns null when that is not the reason
 */
export async function probeServer({ host, port, path, family, tls }: RedisOptions): Promise<string | null> {
  const address = path ? { path } : { host: host ?? 'localhost', port: port ?? 6_379, ...(family !== undefined && { family }) }
  const said = await ask(connect(address), null)
  if (FULL.test(said)) return 'the server is full: as many clients are connected as its `maxclients` allows'
  if (tls) {
    if (/^[+-]/.test(await ask(connect(address), 'PING\r\n')))
      return 'it does not use TLS: write redis: instead of rediss:, or leave `tls` out'
    // Its alert comes after the handshake, and is lost when something was written meanwhile.
    const alert = await errorOf(connectTls({ ...address, ...tls }))
    return alert?.code === undefined || !alert.code.includes('ALERT') ? null : failureReason(alert)
  }
  // Nothing is sent that would have to be believed: neither credentials nor commands.
  return await isEncrypted(connectTls({ ...address, rejectUnauthorized: false }))
    ? 'it accepts only TLS: write rediss: instead of redis:, or set `tls`'
    : null
}

/** What the server says to `text`, or by itself where there is none; nothing is an empty text. */
function ask(socket: Socket, text: string | null): Promise<string> {
  return new Promise(resolve => {
    const end = (said: string): void => {
      socket.destroy()
      resolve(said)
    }
    socket.setTimeout(text === null ? GREETING_MS : ANSWER_MS, () => end(''))
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
    socket.setTimeout(ANSWER_MS, () => end(null))
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
    socket.setTimeout(ANSWER_MS, () => end(false))
    socket.once('secureConnect', () => end(true))
    socket.on('error', (error: NodeJS.ErrnoException) => end(/ALERT/.test(error.code ?? '')))
    socket.once('close', () => end(false))
  })
}
