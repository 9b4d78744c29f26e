import { MessageChannel, Worker } from 'node:worker_threads'
import { ownFile } from '../../../own-file.ts'
import type { FromDatabase, ToDatabase } from './messages.ts'
import type { DatabaseSettings } from '../database/open-database.ts'
import { serveDatabase } from './serve-database.ts'

/** A thread that opens and serves a database, or the current thread if no other is possible. */
export interface Thread {
  /** Why it runs in the current thread, and how to change that, for people; null if it has a thread of its own. */
  readonly hereBecause: string | null
  /** Throws if a message cannot be copied. */
  send(messages: readonly ToDatabase[]): void
  /** While it is needed it keeps the process alive. */
  setNeeded(isNeeded: boolean): void
  /** Ends it at once. When this resolves, its files can be reopened. */
  kill(): Promise<void>
}

export interface ThreadListeners {
  onMessage(message: FromDatabase): void
  /** It ended for whatever reason; no more messages come. */
  onEnd(reason: string): void
}

/**
 * A bundle has no file for the thread, and the permission model may forbid threads. Then the database runs in the current thread and slows
 * down everything else in it.
 */
export function startThread(settings: DatabaseSettings, listeners: ThreadListeners): Thread {
  const file = ownFile('stores/embedded/thread/embedded-worker')
  if (file === null) return startHere(settings, listeners, NO_FILE)
  try {
    return startWorker(file, settings, listeners)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED') return startHere(settings, listeners, NOT_ALLOWED)
    throw error
  }
}

const NO_FILE =
  'the file embedded-worker.js is missing, which happens in a bundle: leave fastify-task-dashboard out of the bundle ("external")'
const NOT_ALLOWED = 'the permission model of Node.js forbids threads: start the process with --allow-worker'

function startWorker(file: URL, settings: DatabaseSettings, { onMessage, onEnd }: ThreadListeners): Thread {
  const options = { workerData: settings, name: 'embedded store' }
  const worker = file.pathname.endsWith('.ts') ? new Worker(fromSource(file), { ...options, eval: true }) : new Worker(file, options)
  let reason: string | undefined
  const ended = new Promise<void>(resolve => {
    worker.once('exit', code => {
      onEnd(reason ?? `exit code ${code}`)
      resolve()
    })
  })
  worker.on('message', onMessage)
  worker.on('messageerror', error => { reason = error.message })
  worker.on('error', (error: Error & { code?: string }) => { reason = error.code ?? error.message })
  return {
    hereBecause: null,
    send: messages => worker.postMessage(messages),
    setNeeded: isNeeded => isNeeded ? worker.ref() : worker.unref(),
    async kill() {
      worker.ref()
      await worker.terminate()
      await ended
    }
  }
}

function startHere(settings: DatabaseSettings, { onMessage, onEnd }: ThreadListeners, hereBecause: string): Thread {
  const { port1: ours, port2: its } = new MessageChannel()
  ours.on('message', onMessage)
  const end = (): void => {
    ours.close()
    its.close()
  }
  ours.once('close', () => onEnd('it was closed'))
  // Our port closes after it has received everything.
  void serveDatabase(its, settings, () => setImmediate(() => its.close()))
  return {
    hereBecause,
    send: messages => ours.postMessage(messages),
    setNeeded(isNeeded) {
      for (const port of [ours, its]) {
        if (isNeeded) port.ref()
        else port.unref()
      }
    },
    async kill() { end() }
  }
}

/** Threads do not inherit the loader that compiles TypeScript, if Node itself does not. */
function fromSource(file: URL): string {
  return `
    const file = ${JSON.stringify(file.href)}
    async function start() {
      if (!process.features.typescript) {
        const loader = require('node:module').createRequire(file).resolve('tsx/esm/api').replace(/cjs$/, 'mjs')
        const { register } = await import(require('node:url').pathToFileURL(loader))
        register()
      }
      await import(file)
    }
    start()`
}
