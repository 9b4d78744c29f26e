import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseFiles } from './database-files.ts'

/** A `WebAssembly.Module`, which threads can be given. */
export type CompiledProgram = object

/** The types of Node do not declare it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledProgram> }

let compiled: Promise<CompiledProgram | null> | undefined

/**
 * The program of the database, compiled once for all threads of the process: each would spend a second or two on it.
 * @returns null where its file is not to be found, as in a bundle; a thread then looks for itself
 */
export function compiledDatabase(): Promise<CompiledProgram | null> {
  return (compiled ??= compile().catch(() => null))
}

async function compile(): Promise<CompiledProgram> {
  return await WebAssembly.compile(new Uint8Array(await readFile(join(databaseFiles(), 'pglite.wasm'))))
}
