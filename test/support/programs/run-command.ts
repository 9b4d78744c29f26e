import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
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

/** Runs `fastify-task-dashboard` with these arguments; killed when the test ends. */
export function runCommand(t: Test, args: readonly string[], env: Record<string, string> = {}): RunningCommand {
  const child = spawn(process.execPath, [...LOADER, join(ROOT, `lib/cli/main${EXTENSION}`), ...args], { env: { ...process.env, ...env } })
  const running: RunningCommand = {
    child, out: '', err: '', code: null,
    ended: new Promise(resolve => { child.once('exit', code => { running.code = code; resolve() }) })
  }
  child.stdout.on('data', (data: Buffer) => { running.out += data.toString() })
  child.stderr.on('data', (data: Buffer) => { running.err += data.toString() })
  t.teardown(() => child.kill('SIGKILL'))
  return running
}
