import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { TAP, Test } from 'tap'
import type { Measured } from './measured-loads.ts'
import { takeProcessorSeconds } from './processor-time.ts'

/** Timeouts of abandoned calls may still be running for this long. */
const PATIENCE_MS = 6_000

/** `globalThis.pack`, in which each file of a pack finds the test to which its own tests belong. */
export interface Pack {
  t?: Test
}

/**
 * Runs test files one after another in this process. Each is a test of `tap`, and its duration is printed. A file fails if it has no test,
 * changes the environment, or leaves a timer, a socket or a program behind.
 * @param files the path of each, and a function that imports it
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
      // Hooks run in reverse order, so this runs last. It must be part of a test, because tap would otherwise end the process.
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

/** Reads the duration and CPU time of each file from the output of a pack. */
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

// Ignores what is no leak: open requests of modules that are being loaded, writes of output that the parent has not read yet, and globals
// that begin with two underscores, which tslib adds in some packages.
function lasting(): string[] {
  const open = process.getActiveResourcesInfo().filter(kind => !/Req|Immediate|WriteWrap/.test(kind))
  return [
    `folder=${process.cwd()}`, ...Object.keys(globalThis).filter(name => !name.startsWith('__')),
    ...Object.entries(process.env).map(pair => pair.join('=')),
    ...open.map((kind, index) => `${kind}=${open.slice(0, index).filter(other => other === kind).length}`)
  ]
}
