import { spawn } from 'node:child_process'
import { onEndingSignal } from './ending-signals.ts'
import { takeProcessorSeconds } from './processor-time.ts'

export interface RunOptions {
  env?: Readonly<Record<string, string>>
  /** Called with each line of stdout. Without it, stdout is inherited. */
  onLine?: (line: string) => void
  /** Milliseconds until it is stopped. */
  timeoutMs?: number
}

/**
 * Runs a program without stdin.
 * @returns its exit code; 1 if a signal ended it or it could not be started
 */
export function run(command: string, args: readonly string[], { env, onLine, timeoutMs }: RunOptions = {}): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      stdio: ['ignore', onLine === undefined ? 'inherit' : 'pipe', 'inherit'],
      env: { ...process.env, ...env },
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs })
    })
    const stopForwarding = onEndingSignal(signal => { child.kill(signal) })
    let rest = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      lines.forEach(line => onLine!(line))
    })
    const finish = (code: number): void => {
      stopForwarding()
      if (rest !== '') onLine!(rest)
      rest = ''
      resolve(code)
    }
    child.once('error', error => { console.error(`${command}: ${error.message}`); finish(1) })
    // Takes the children's time, so that it is not attributed to anything else.
    child.once('exit', () => { takeProcessorSeconds() })
    child.once('close', code => finish(code ?? 1))
  })
}
