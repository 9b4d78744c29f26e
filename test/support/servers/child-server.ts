import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { findProgram } from './binaries.ts'

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000

/** A separate datastore with its own data folder, for tests of outages and crashes. */
export interface TestServer {
  readonly url: string
  readonly port: number
  /** Starts it again on the same port with the same data. Does nothing while it runs. */
  start(): Promise<void>
  /** Stops it as an operator would. */
  stop(): Promise<void>
  /** Stops it as a crash would: nothing is flushed, connections break. */
  kill(): Promise<void>
  /** Makes it hang: connections stay open, but get no responses. */
  freeze(): void
  /** Ends `freeze()`. */
  thaw(): void
}

export interface ChildServerOptions {
  command: string
  args: readonly string[]
  /** Runs the server as this user; only root can. */
  user?: string
  /** The signals that make it stop and that make it crash. */
  stopSignal: NodeJS.Signals
  killSignal: NodeJS.Signals
  /** Resolves to true once the server responds; called again until then. */
  isReady: () => Promise<boolean>
}

/** One server process that can be started and stopped any number of times and does not outlive this process. */
export function createChildServer(options: ChildServerOptions): Pick<TestServer, 'start' | 'stop' | 'kill' | 'freeze' | 'thaw'> {
  let child: ChildProcess | null = null
  const killAtExit = (): void => { child?.kill('SIGKILL') }

  async function start(): Promise<void> {
    if (child !== null) return
    const [command, ...args] = tiedToThisProcess(options)
    const started = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' })
    child = started
    let output = ''
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => { output = (output + text).slice(-4000) })
    }
    started.once('error', error => { output += error.message })
    process.on('exit', killAtExit)
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!await options.isReady()) {
      if (started.exitCode !== null || started.signalCode !== null || started.pid === undefined || Date.now() > deadline) {
        await end(options.killSignal)
        throw new Error(`${options.command} did not start:\n${output}`)
      }
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child
    child = null
    process.off('exit', killAtExit)
    if (ending === null || ending.pid === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const exit = once(ending, 'exit')
    const forced = setTimeout(() => ending.kill('SIGKILL'), STOP_TIMEOUT_MS)
    signalTree(ending.pid, 'SIGCONT')
    ending.kill(signal)
    await exit
    clearTimeout(forced)
  }

  return {
    start,
    stop: () => end(options.stopSignal),
    kill: () => end(options.killSignal),
    freeze: () => { if (child?.pid !== undefined) signalTree(child.pid, 'SIGSTOP') },
    thaw: () => { if (child?.pid !== undefined) signalTree(child.pid, 'SIGCONT') }
  }
}

// A test process that is killed runs no teardown: on Linux the kernel then stops its servers.
function tiedToThisProcess({ command, args, user }: ChildServerOptions): string[] {
  const setpriv = findProgram('setpriv')
  if (setpriv !== null) {
    const asUser = user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, '--init-groups']
    return [setpriv, ...asUser, '--pdeathsig', 'TERM', '--', command, ...args]
  }
  return user === undefined ? [command, ...args] : ['runuser', '-u', user, '--', command, ...args]
}

// PostgreSQL runs one process per connection, each in its own session, so signalling the process group does not reach them.
function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const process_ of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(process_, signal)
    } catch {
      // The process ended after it was listed.
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
