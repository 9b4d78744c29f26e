import { realpathSync, writeSync } from 'node:fs'
import { Server, Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded before an example of the documents, which then runs as printed: it listens on a free port whichever port it names, and connects
 * to the servers of the test whichever host it names. In a process of its own it reports what it does on file descriptor 3.
 */

/** Everything that listens. */
export const servers: Server[] = []
/** Ports that examples name, and the ports they map to here. */
export const ports = new Map<number, number>(
  process.env['EXAMPLE_REDIS_PORT'] === undefined ? [] : [[6379, Number(process.env['EXAMPLE_REDIS_PORT'])]]
)

/** Unix sockets that examples name, and the paths they map to here. */
export const paths = new Map<string, string>()

// Threads and child processes of an example load this file too, but they are not the example.
const isProcessOfItsOwn = process.env['EXAMPLE_PROCESS'] === '1' && isMainThread && process.channel === undefined
const say = (what: string): void => { if (isProcessOfItsOwn) writeSync(3, `${what}\n`) }

const { listen } = Server.prototype
Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  const [first] = args
  if (typeof first === 'number' || typeof first === 'string') args[0] = 0
  else if (typeof first === 'object' && first !== null && 'port' in first) args[0] = { ...first, port: 0 }
  this.once('listening', () => {
    servers.push(this)
    const address = this.address()
    if (typeof address === 'object' && address !== null) say(`listens ${address.port}`)
  })
  return Reflect.apply(listen, this, args)
}

const { connect } = Socket.prototype
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [first] = args
  if (typeof first === 'number') {
    if (ports.has(first)) args.splice(0, 2, ports.get(first), '127.0.0.1')
  } else if (typeof first === 'string') {
    args[0] = paths.get(first) ?? first
  } else {
    // Node's own functions pass on a normalised argument list. The options keep their host: TLS compares it with the certificate.
    const options = (Array.isArray(first) ? first[0] : first) as { port?: number | string, path?: string }
    const port = ports.get(Number(options.port))
    const path = paths.get(options.path ?? '')
    const changed = { ...options, ...(port !== undefined && { host: '127.0.0.1', port }), ...(path !== undefined && { path }) }
    if (Array.isArray(first)) first[0] = changed
    else args[0] = changed
  }
  return Reflect.apply(connect, this, args)
} as typeof connect

if (isProcessOfItsOwn) {
  process.on('newListener', name => { if (name === 'SIGTERM') say('stops on SIGTERM') })
  // Imports the example itself, which has already begun: this resolves when its last line has run.
  setImmediate(() => { import(pathToFileURL(realpathSync(process.argv[1]!)).href).then(() => say('ran'), () => {}) })
}
