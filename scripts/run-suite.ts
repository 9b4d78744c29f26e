import { BUILD, CHECKS, runCheck, type Check } from './checks.ts'
import { Failures } from './failures.ts'
import { needsBuild, type Load } from './file-loads.ts'
import type { Measured } from './measured-loads.ts'
import { measuredFiles } from './pack.ts'
import { watchIdleness, watchMachine } from './processor-time.ts'
import { shareCores, type Job } from './share-cores.ts'
import { runTestFile } from './test-file.ts'

export interface SuiteOptions {
  readonly files: readonly string[]
  /** Includes build, types and lint. */
  readonly withChecks: boolean
  /** The folder with the compiled file; null if it runs from source. */
  treeOf(file: string): string | null
  /** @param name path of a file, or title of a check */
  loadOf(name: string): Load
  /** Environment of the test files. */
  readonly env: Readonly<Record<string, string>>
  /** Cores to keep busy. */
  readonly jobs: number
  /** Milliseconds per file. */
  readonly timeoutMs: number
  /** After it is aborted, no further file starts. Running files are ended separately, by the process's own signal. */
  readonly stopped: AbortSignal
}

export interface SuiteResult {
  /** Assertions. */
  readonly passed: number
  readonly failed: number
  /** Of each file, and of each pack of files. */
  readonly durations: readonly Measured[]
}

/**
 * Runs files and checks in parallel, the longest first and those that need the whole machine last, and prints TAP. At the end it prints the
 * duration of each file, slowest first, how busy the machine was, and what failed.
 */
export async function runSuite(
  { files, withChecks, treeOf, loadOf, env, jobs, timeoutMs, stopped }: SuiteOptions
): Promise<SuiteResult> {
  const counts = { passed: 0, failed: 0 }
  const durations: Measured[] = []
  const startedAt = performance.now()
  const idleShare = watchIdleness()
  const failures = new Failures()
  // Each running file listens to signals.
  process.setMaxListeners(0)
  print(['TAP version 14'])
  let isBuilt = !withChecks
  await shareCores([
    ...(withChecks ? [{ cores: 1, seconds: Infinity, run: async () => { await check(BUILD); isBuilt = true } }] : []),
    ...(withChecks ? CHECKS.map(each => ({ ...loadOf(each.title), run: () => check(each) })) : []),
    ...files.map(file => ({ ...loadOf(file), isReady: () => isBuilt || !needsBuild(file), run: () => test(file) }))
  ].toSorted((a, b) => Number(a.cores > 1) - Number(b.cores > 1) || b.seconds - a.seconds) satisfies Job[], jobs, stopped, watchMachine())
  print([`1..${files.length + (withChecks ? CHECKS.length + 1 : 0)}`])
  if (files.length === 0 || stopped.aborted) counts.failed++

  for (const { file, seconds, processorSeconds } of durations.toSorted((a, b) => b.seconds - a.seconds)) {
    console.log(`# ${seconds.toFixed(1).padStart(6)} s ${processorSeconds.toFixed(1).padStart(6)} s of the processor  ${file}`)
  }
  const [took, idle] = [(performance.now() - startedAt) / 1000, idleShare()]
  const unused = idle === null ? '' : `; the machine was idle for ${(idle * 100).toFixed(0)} % of its processor time`
  console.log(`# ${took.toFixed(0)} s in all${unused}`)
  // A CI log may keep only the end of the output.
  for (const failure of failures.end()) console.log(`not ok: ${failure}`)
  return { ...counts, durations }

  async function check(each: Check): Promise<void> {
    const { isOk, lines } = await runCheck(each)
    print(lines)
    counts[isOk ? 'passed' : 'failed']++
  }

  async function test(file: string): Promise<void> {
    const usualMs = loadOf(file).seconds * 1000
    const { lines, passed, failed, seconds, processorSeconds } = await runTestFile(file, {
      compiledTree: treeOf(file), env, timeoutMs, usualMs
    })
    print(lines)
    counts.passed += passed
    counts.failed += failed
    durations.push({ file, seconds, processorSeconds }, ...measuredFiles(lines))
  }

  function print(lines: readonly string[]): void {
    for (const line of lines) {
      console.log(line)
      failures.add(line)
    }
  }
}
