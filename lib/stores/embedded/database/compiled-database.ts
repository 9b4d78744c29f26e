import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseFiles } from './database-files.ts'

/** A `WebAssembly.Module`, which can be passed to threads. */
export type CompiledProgram = object

/** Node's types do not declare it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledProgram> }

let compiled: Promise<CompiledProgram | null> | undefined

/**
 * The database's program, compiled once for all threads of the process. Compiling it takes a second or two.
 * @returns null if its file cannot be found, as in a bundle; the thread then tries to find it
 */
export function compiledDatabase(): Promise<CompiledProgram | null> {
  return (compiled ??= compile().catch(() => null))
}

async function compile(): Promise<CompiledProgram> {
  return await WebAssembly.compile(new Uint8Array(await readFile(join(databaseFiles(), 'pglite.wasm'))))
}
