/**
 * Runs the command several times in one process, because starting one takes half a second of processor time. Its arguments are the URL of
 * the command and a JSON list of lists of arguments. Prints what each run wrote and its exit code. It ends only when all that the runs have
 * opened is closed.
 */
const [main = '', lists = '[]'] = process.argv.splice(2)
const { stdout, stderr } = process
const writers = [stdout.write.bind(stdout), stderr.write.bind(stderr)] as const
// Each run adds listeners.
for (const emitter of [process, stdout, stderr]) emitter.setMaxListeners(0)

const results: Array<{ code: number; out: string; err: string }> = []
for (const [index, args] of (JSON.parse(lists) as string[][]).entries()) {
  const result = { code: 0, out: '', err: '' }
  stdout.write = (text: string | Uint8Array) => { result.out += String(text); return true }
  stderr.write = (text: string | Uint8Array) => { result.err += String(text); return true }
  process.argv.splice(2, Infinity, ...args)
  process.exitCode = 0
  // A module with another query runs again.
  await import(`${main}?${index}`).catch((error: Error) => {
    result.err += error.stack
    process.exitCode = 1
  })
  results.push(Object.assign(result, { code: Number(process.exitCode) }))
}
Object.assign(stdout, { write: writers[0] })
Object.assign(stderr, { write: writers[1] })
process.exitCode = 0
console.log(JSON.stringify(results))

export {}
