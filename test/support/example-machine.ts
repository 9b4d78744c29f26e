import { realpathSync, writeSync } from 'node:fs'
import { Server, Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded before an example of the documents, which then runs as it is printed: it listens on a free port whichever it names, and what
 * it connects to is found here, whatever host it is on there. As a process of its own it tells on file descriptor 3 what it does.
 */

/** Everything that listens. */
export const servers: Server[] = []
/** Ports as examples name them, and where they are here. */
export const ports = new Map<number, number>(
  process.env['EXAMPLE_REDIS_PORT'] === undefined ? [] : [[6379, Number(process.env['EXAMPLE_REDIS_PORT'])]]
)

/** Unix sockets as examples name them, and where they are here. */
export const paths = new Map<string, string>()

// Threads and child processes of an example load this file, too: they are not the example.
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
    // Node's own functions hand on a list that they have put in order. The options stay as they are: TLS compares their host with the
    // certificate.
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
  // The example itself, which has begun by then: its last line has run.
  setImmediate(() => { import(pathToFileURL(realpathSync(process.argv[1]!)).href).then(() => say('ran'), () => {}) })
}
