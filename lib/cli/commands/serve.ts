import type { FastifyInstance } from 'fastify'
import { countedNoun } from '../../collections/counted-noun.ts'
import { isTaskDashboardError } from '../../errors.ts'
import type { QueueApp } from '../../index.ts'
import { describeErrors } from '../../queue-app/describe-errors.ts'
import { checkPort } from './check-port.ts'
import { cutLateRequests } from './cut-late-requests.ts'

export interface ServeOptions {
  readonly broker: string
  /** Empty for BullMQ's own prefix. */
  readonly prefixes: readonly string[]
  /** Null for all queues under each prefix. */
  readonly queues: readonly string[] | null
  /** Null for memory. */
  readonly backend: string | null
  readonly manage: boolean
  /** Null: the default of `QueueApp.fromQueues`. */
  readonly namespace: string | null
  readonly host: string
  readonly port: number
  readonly auth: { readonly username: string; readonly password: string } | null
}

/** What the command prints, line by line. */
export interface Output { say(line: string): void; warn(line: string): void }

/**
 * Serves a dashboard of someone else's queues until SIGINT or SIGTERM.
 * @returns the exit code
 */
export async function serve(options: ServeOptions, { say, warn }: Output): Promise<number> {
  const { default: fastify } = await import('fastify')
  const { dashboardPlugin, QueueApp } = await import('../../index.ts')
  let queueApp: QueueApp | undefined
  let server: FastifyInstance | undefined
  const { isStopping, isStopped } = untilSignal()
  let end: () => void = () => {}
  const isLooked = new Promise<void>(resolve => { end = resolve })
  try {
    const host = toOneAddress(options.host)
    await checkPort(host, options.port)
    const { broker, prefixes, queues: asked, backend, namespace, manage } = options
    const labels = labelsOf(prefixes)
    const places = prefixes.length === 0
      ? [{}]
      : prefixes.map((prefix, index) => ({ prefix, ...prefixes.length > 1 && { label: labels[index]! } }))
    queueApp = QueueApp.fromQueues(places.map(place => ({ broker, queues: asked ?? 'all', ...place })), {
      ...backend !== null && { backend }, ...namespace !== null && { namespace }, manage,
      onError: describeErrors(sentence => warn(inFlags(sentence))),
      onLook({ keys, queues, isDone }) {
        if (isDone) end()
        else say(`Looked at ${keys} keys, found ${countedNoun(queues, 'queue')} …`)
      }
    })
    say('Looking for queues …')
    await Promise.race([queueApp.start().then(() => isLooked), isStopping])
    if (!queueApp.isStarted || isStopped()) return 0
    const queues = (await queueApp.monitoring.tasks()).filter(({ partOf }) => partOf === null)
    if (queues.length === 0) {
      // A warning has already said what was found instead.
      return 1
    }
    say(`${countedNoun(queues.length, 'queue')} ${asked === null ? 'found' : 'shown'}: ${namesOf(queues)}`)
    server = fastify({ logger: false })
    cutLateRequests(server)
    await server.register(dashboardPlugin, {
      queueApp, title: 'Queues', ...options.auth === null ? { access: 'local' as const } : { auth: { ...options.auth } }
    })
    const address = await server.listen({ host, port: options.port })
    say(backend === null
      ? 'The history is in memory and ends with this process; --backend keeps it.'
      : 'The history is written to the result backend.')
    say(manage ? 'Jobs can be retried and cancelled, and queues paused.' : 'Nothing is written to the queues; --manage allows changes.')
    say(`Dashboard: ${address}   (Ctrl+C ends it)`)
    await isStopping
    return 0
  } catch (error) {
    warn(inFlags(messageOf(error, options)))
    return 1
  } finally {
    await server?.close().catch(() => {})
    await queueApp?.stop()
  }
}

/** Errors name the options of `QueueApp.fromQueues`. */
function inFlags(sentence: string): string {
  return sentence.replace(/`(prefix|queues|namespace|backend|manage)`/g, '--$1').replace('the option --', '--')
}

/** Addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** `localhost` may have a second address. Fastify does not close unused connections of that one, which would keep the process alive. */
function toOneAddress(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}

const MAX_NAMES_SHOWN = 8

function namesOf(queues: ReadonlyArray<{ readonly name: string }>): string {
  const names = queues.slice(0, MAX_NAMES_SHOWN).map(({ name }) => name).join(', ')
  return queues.length > MAX_NAMES_SHOWN ? `${names}, …` : names
}

const MAX_LABEL_LENGTH = 40

/** A label for each prefix, without what a label must not contain. If two would be equal, the later one gets a number. */
export function labelsOf(prefixes: readonly string[]): string[] {
  const labels: string[] = []
  for (const prefix of prefixes) {
    const label = [...prefix.replace(/[:/\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, '-')].slice(0, MAX_LABEL_LENGTH).join('')
    let unique = label
    for (let number = 2; labels.includes(unique); number++)
      unique = `${[...label].slice(0, MAX_LABEL_LENGTH - `-${number}`.length).join('')}-${number}`
    labels.push(unique)
  }
  return labels
}

const SHELL_CHECKED_EVERY_MS = 500

/**
 * npm passes SIGTERM on to the shell in which it runs a command, and the shell dies without its child. So a command that npm runs also ends
 * when its parent is gone: otherwise it would keep the port. It does not if the shell started it in the background.
 */
function untilShellIsGone(gone: () => void): NodeJS.Timeout | undefined {
  const script = process.env['npm_lifecycle_script'] ?? ''
  if (!script.includes('fastify-task-dashboard') || script.includes('&')) return undefined
  const parent = process.ppid
  return setInterval(() => { if (process.ppid !== parent) gone() }, SHELL_CHECKED_EVERY_MS).unref()
}

/** SIGINT or SIGTERM, or no one reads the output any more, as in `| head -1`. */
export function untilSignal(): { readonly isStopping: Promise<void>; isStopped(): boolean } {
  let isStopped = false
  let watch: NodeJS.Timeout | undefined
  const isStopping = new Promise<void>(resolve => {
    const stop = (): void => {
      isStopped = true
      clearInterval(watch)
      resolve()
    }
    watch = untilShellIsGone(stop)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => { if (code === 'EPIPE') stop() })
  })
  return { isStopping, isStopped: () => isStopped }
}

export function messageOf(error: unknown, { host, port }: Pick<ServeOptions, 'host' | 'port'>): string {
  if (isTaskDashboardError(error)) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `The port ${port} of ${host} is in use: choose another with --port`
  if (code === 'EACCES') return `The port ${port} of ${host} may not be used: choose one above 1023 with --port`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `This machine has no address ${host}: choose another with --host`
  if (code === 'ERR_MODULE_NOT_FOUND') return 'The package fastify is missing: npm install fastify'
  return message || 'The dashboard could not be started'
}
