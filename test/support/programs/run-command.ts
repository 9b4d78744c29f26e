import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { EXTENSION, LOADER } from '../loader.ts'
import { ROOT } from '../source-files.ts'

export interface RunningCommand {
  readonly child: ChildProcess
  out: string
  err: string
  code: number | null
  readonly ended: Promise<void>
}

/** All of them together, on a busy machine. */
const ENDS_WITHIN_MS = 120_000

const MAIN = join(ROOT, `lib/cli/main${EXTENSION}`)

/** Runs `fastify-task-dashboard` with these arguments; killed when the test ends. */
export function runCommand(t: Test, args: readonly string[], env: Record<string, string> = {}): RunningCommand {
  const child = spawn(process.execPath, [...LOADER, MAIN, ...args], { env: { ...process.env, ...env } })
  const running: RunningCommand = {
    child, out: '', err: '', code: null,
    ended: new Promise(resolve => { child.once('exit', code => { running.code = code; resolve() }) })
  }
  child.stdout.on('data', (data: Buffer) => { running.out += data.toString() })
  child.stderr.on('data', (data: Buffer) => { running.err += data.toString() })
  t.teardown(() => child.kill('SIGKILL'))
  return running
}

/**
 * Runs it once with each list of arguments, one after another in the same process. Use `runCommand` for a command that serves, gets a
 * signal or reads its input. Rejects if the process does not end by itself.
 */
export async function runCommands(
  lists: ReadonlyArray<readonly string[]>, env: Record<string, string> = {}
): Promise<Array<Readonly<{ code: number; out: string; err: string }>>> {
  const program = fileURLToPath(new URL('./commands-in-turn.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath, [...LOADER, program, pathToFileURL(MAIN).href, JSON.stringify(lists)],
    { env: { ...process.env, NODE_OPTIONS: '', ...env }, timeout: ENDS_WITHIN_MS }
  )
  return JSON.parse(stdout) as Array<{ code: number; out: string; err: string }>
}
