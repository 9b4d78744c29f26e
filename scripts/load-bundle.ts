import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** Each function runs a module of the bundle, unless it has run before, and returns its exports. */
export interface Bundle {
  readonly sources: ReadonlyArray<() => unknown>
  readonly packages: ReadonlyArray<() => unknown>
}

const file = fileURLToPath(new URL('../bundle/all.cjs', import.meta.url))

/** V8 only accepts compiled code from a process with the same options. */
const stored = `${file}.${createHash('sha256').update(process.execArgv.join(' ')).digest('hex').slice(0, 16)}`

// The file is ASCII (`bundle-sources.ts`).
const script = new Script(readFileSync(file, 'latin1'), { filename: file, ...(existsSync(stored) && { cachedData: readFileSync(stored) }) })
const loaded = { exports: {} as Bundle }
type Run = (
  exports: Bundle, require: NodeJS.Require, module: { exports: Bundle }, file: string, folder: string, importHere: (name: string) => unknown
) => void
;(script.runInThisContext() as Run)(loaded.exports, createRequire(file), loaded, file, dirname(file), name => import(name))

export const { sources, packages } = loaded.exports

/** Stores the code that V8 has compiled so far, for later processes with the options of this one. */
export function storeCode(): void {
  writeFileSync(stored, script.createCachedData())
}
