/**
 * What actions cost workers that use none. Compares the CPU time of an execution in this version, in this version without the channel that
 * brings cancel requests, and in another version. Each runs the executions of bench/worker.ts in a process of its own, in turns; every
 * other round has the reverse order. The other version runs twice per round, and the difference between the two is the noise. First compile
 * the other checkout, with `node node_modules/typescript/bin/tsc -p bench/tsconfig.build.json` in it.
 * Run: npm run bench worker-against <other checkout> [jobs] [rounds]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const VERSIONS = ['other', 'other again', 'this', 'this without the channel'] as const
type Version = typeof VERSIONS[number]
interface Measured { readonly processMicroseconds: number; readonly redisMicroseconds: number }

const [checkout = '', jobs = '20000', rounds = '10'] = process.argv.slice(2)
const other = join(resolve(checkout), '.bench')
const folders: Record<Version, string> = {
  other, 'other again': other, 'this': resolve('.bench'), 'this without the channel': await withoutChannel()
}
const server = await createRedisServer({ persistent: false })
const measured = new Map<Version, Measured[]>(VERSIONS.map(version => [version, []]))
for (let round = 0; round < Number(rounds); round++) {
  for (const version of round % 2 === 0 ? VERSIONS : VERSIONS.toReversed()) {
    const child = fork(join(folders[version], 'bench/worker.js'), [server.url, 'ours', jobs])
    const [found] = await Promise.race([
      once(child, 'message'), once(child, 'exit').then(([code]) => { throw new Error(`${version} ended with ${code}`) })
    ]) as [Measured]
    await once(child, 'exit')
    measured.get(version)!.push(found)
  }
}
await server.remove()
await rm(folders['this without the channel'], { recursive: true })
for (const part of ['processMicroseconds', 'redisMicroseconds'] as const) {
  const timesOf = (version: Version): number[] => measured.get(version)!.map(each => each[part])
  for (const version of VERSIONS) {
    const times = timesOf(version)
    const ratios = times.map((time, round) => time / timesOf('other')[round]!)
    console.log(`${part === 'processMicroseconds' ? 'process' : 'Redis'}, ${version}: ${times.join(', ')} µs, ` +
      `least ${Math.min(...times)}, median ${median(times)}, median of the ratios to the other ${median(ratios).toFixed(3)}`)
  }
}

/** A copy of this version whose workers never poll for cancel requests. */
async function withoutChannel(): Promise<string> {
  const folder = resolve('.bench-silent')
  await cp(resolve('.bench'), folder, { recursive: true })
  const path = join(folder, 'lib/engine/cancelling/cancel-watch.js')
  const text = await readFile(path, 'utf8')
  const silent = text.replace('if (timer !== undefined || isStopped)', 'if (true)')
  if (silent === text) throw new Error('The channel was not found')
  await writeFile(path, silent)
  return folder
}

function median(values: readonly number[]): number {
  return values.toSorted((one, two) => one - two)[Math.floor(values.length / 2)]!
}
