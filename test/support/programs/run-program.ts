import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { EXTENSION, LOADER } from '../loader.ts'
import { ROOT } from '../source-files.ts'

export interface Program {
  /** The address on which it listens; null for a program that only works. */
  readonly address: string | null
  /** Sends SIGTERM. @returns how the program ended, and what it wrote to stderr */
  stop(): Promise<{ code: number | null, signal: string | null, stderr: string }>
}

/** `ran`: its last line has run. */
type Deed = 'ran' | 'stops on SIGTERM'

/** Runs a program of the documents in its own process until it has done all of `deeds` or has ended. */
export async function runProgram(t: Test, file: string, deeds: readonly Deed[], env: Readonly<Record<string, string>>): Promise<Program> {
  const machine = pathToFileURL(join(ROOT, `test/support/programs/example-machine${EXTENSION}`)).href
  const child = spawn(process.execPath, [...LOADER, '--import', machine, file], {
    env: { ...process.env, NODE_OPTIONS: '', EXAMPLE_PROCESS: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => { stderr += text })

  let address: string | null = null
  const missing = new Set<string>(deeds)
  const done = new Promise<void>(resolve => {
    createInterface(child.stdio[3] as Readable).on('line', line => {
      const port = /^listens (\d+)$/.exec(line)?.[1]
      if (port !== undefined) address ??= `http://127.0.0.1:${port}`
      missing.delete(line)
      if (missing.size === 0) resolve()
    })
  })
  await Promise.race([done, exit])
  return {
    address,
    async stop() {
      child.kill('SIGTERM')
      const [code, signal] = await exit
      return { code, signal, stderr }
    }
  }
}
