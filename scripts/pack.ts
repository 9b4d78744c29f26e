import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { TAP, Test } from 'tap'
import type { Measured } from './measured-loads.ts'
import { takeProcessorSeconds } from './processor-time.ts'

/** Deadlines of calls that nobody waits for any longer may still run this long. */
const PATIENCE_MS = 6_000

/** What the files of a pack find in `globalThis.pack`: the test to which theirs belong. */
export interface Pack {
  t?: Test
}

/**
 * Runs test files one after another in this process. Each is a test of `tap`, and says how long it took. A file fails that has no test,
 * changes the environment, or leaves a timer, a socket or a program.
 * @param files path, and what imports it
 */
export async function runPack(tap: TAP, files: ReadonlyArray<readonly [string, () => Promise<unknown>]>): Promise<void> {
  const pack: Pack = {}
  Object.assign(globalThis, { pack })
  // Each file has its own timeout, which it may extend.
  const timeout = Number(process.env['TAP_TIMEOUT'] ?? 300) * 1000
  tap.setTimeout(0)
  for (const [file, load] of files) {
    const before = lasting()
    const startedAt = performance.now()
    const usedBefore = process.cpuUsage()
    takeProcessorSeconds()
    let left: readonly string[] = []
    const test = tap.test(file, { timeout }, async t => {
      // Hooks run in reverse order, so this is the last. tap would end the process if it were not part of a test.
      t.teardown(async () => { left = await leftSince(before) })
      pack.t = t
      await load()
    })
    await test
    if (test.subtest?.counts.total === 0) tap.fail(`${file} has no test`)
    if (left.length > 0) tap.fail(`${file} leaves something behind`, { left: left.map(each => each.split('=')[0]) })
    const { user, system } = process.cpuUsage(usedBefore)
    const processorSeconds = (user + system) / 1e6 + takeProcessorSeconds()
    tap.comment(`${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${processorSeconds.toFixed(1)} s of the processor: ${file}`)
  }
}

/** What the output of a pack says of each of its files. */
export function measuredFiles(lines: readonly string[]): Measured[] {
  return lines.flatMap(line => {
    const [, seconds, processorSeconds, file = ''] = /^ *# ([\d.]+) s, ([\d.]+) s of the processor: (\S+)$/.exec(line) ?? []
    return file === '' ? [] : [{ file, seconds: Number(seconds), processorSeconds: Number(processorSeconds) }]
  })
}

async function leftSince(before: readonly string[]): Promise<string[]> {
  const deadline = performance.now() + PATIENCE_MS
  while (true) {
    await setImmediate()
    const left = lasting().filter(each => !before.includes(each))
    if (left.length === 0 || performance.now() > deadline) return left
    await sleep(20)
  }
}

// Modules that are being loaded have requests open, and output that the parent has not read yet is a write. tslib, in some packages, adds
// globals that begin with two underscores.
function lasting(): string[] {
  const open = process.getActiveResourcesInfo().filter(kind => !/Req|Immediate|WriteWrap/.test(kind))
  return [
    `folder=${process.cwd()}`, ...Object.keys(globalThis).filter(name => !name.startsWith('__')),
    ...Object.entries(process.env).map(pair => pair.join('=')),
    ...open.map((kind, index) => `${kind}=${open.slice(0, index).filter(other => other === kind).length}`)
  ]
}
