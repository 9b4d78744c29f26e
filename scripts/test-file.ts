import { spawn } from 'node:child_process'
import { onEndingSignal } from './ending-signals.ts'
import { withFramesOfSources } from './frames-of-bundle.ts'
import type { Measured } from './measured-loads.ts'
import { TEST_OPTIONS } from './node-options.ts'
import { takeProcessorSeconds } from './processor-time.ts'

export interface FileResult extends Measured {
  readonly passed: number
  readonly failed: number
  /** TAP lines: the file as one test, and its own output. */
  readonly lines: readonly string[]
}

export interface TestFileOptions {
  /** The folder with the compiled file; null to run from source. */
  readonly compiledTree: string | null
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds until it times out, unless the file extends this with `t.setTimeout()`. */
  readonly timeoutMs: number
  /** Milliseconds it usually takes, which may be more than the timeout if it is a pack of many. Default: 0 */
  readonly usualMs?: number
}

/** A file is stopped after this many times the sum of its usual duration and its timeout, even if it extends its timeout. */
const PATIENCE = 3

/** Time for a file to end after a signal; then it is killed. */
const LAST_WORDS_MS = 5_000

/** Runs a test file in a separate process. A crash, a timeout and a file without tests count as one failure. */
export async function runTestFile(file: string, options: TestFileOptions): Promise<FileResult> {
  const startedAt = performance.now()
  const { output, code, signal, processorSeconds } = await runToEnd(file, options)
  const tookMs = performance.now() - startedAt
  const readable = options.compiledTree === null ? output : withFramesOfSources(output, options.compiledTree)
  const within = readable.trimEnd().split('\n').filter(line => line !== 'TAP version 14')
  const totals = within.findLast(line => line.startsWith('# { total:')) ?? ''
  const passed = countOf(totals, 'pass')
  // A skipped or todo test proves nothing, so it counts as failed.
  const told = countOf(totals, 'fail') + countOf(totals, 'skip') + countOf(totals, 'todo')
  const failed = told === 0 && (code !== 0 || passed === 0) ? 1 : told
  const end = failed === 0 || code === 0 ? [] : ['  ---', `  ${signal === null ? `exitCode: ${code}` : `signal: ${signal}`}`, '  ...']
  return {
    file,
    passed,
    failed,
    seconds: tookMs / 1000,
    processorSeconds,
    lines: [
      `# Subtest: ${file}`, ...within.map(line => `    ${line}`),
      `${failed === 0 ? 'ok' : 'not ok'} - ${file} # time=${tookMs.toFixed(0)}ms`, ...end, ''
    ]
  }
}

interface Ended {
  readonly output: string
  readonly processorSeconds: number
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

function runToEnd(file: string, { compiledTree, env, timeoutMs, usualMs = 0 }: TestFileOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const program = compiledTree === null ? ['--import', import.meta.resolve('tsx'), file] : [file.replace(/\.ts$/, '.js')]
    const child = spawn(process.execPath, [...TEST_OPTIONS, ...program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(compiledTree === null ? {} : { cwd: compiledTree }),
      env: { ...process.env, ...env, TAP: '1', TAP_TIMEOUT: String(timeoutMs / 1000) }
    })
    const kill = (): void => {
      child.kill('SIGKILL')
      // Its children may outlive it and keep its output open.
      child.stdout.destroy()
    }
    const timers: NodeJS.Timeout[] = []
    const end = (signal: NodeJS.Signals): void => {
      child.kill(signal)
      timers.push(setTimeout(kill, LAST_WORDS_MS))
    }
    const stopForwarding = onEndingSignal(end)
    // tap treats SIGALRM as a timeout and reports which tests were running.
    timers.push(setTimeout(() => end('SIGALRM'), (usualMs + timeoutMs) * PATIENCE))
    let output = ''
    let processorSeconds = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => { output += text })
    child.once('error', reject)
    child.once('exit', () => { processorSeconds = takeProcessorSeconds() })
    child.once('close', (code, signal) => {
      for (const timer of timers) clearTimeout(timer)
      stopForwarding()
      resolve({ output, processorSeconds, code, signal })
    })
  })
}

function countOf(line: string, word: string): number {
  return Number(new RegExp(`${word}: (\\d+)`).exec(line)?.[1] ?? 0)
}
