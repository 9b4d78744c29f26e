import { Failures } from './failures.ts'
import { run } from './run.ts'

/** Ends what hangs. A still machine of 2 cores takes 13 to 17 minutes; a busy one must not be taken for a hang. */
const TIMEOUT_MS = 60 * 60_000

/** Runs tap and repeats its output. @returns its count of assertions, and prints what each file took, slowest first, and what failed. */
export async function runTap(files: readonly string[], env: Readonly<Record<string, string>>): Promise<{ passed: number, failed: number }> {
  const counts = { passed: 0, failed: 0 }
  const durations: Array<{ file: string, seconds: number }> = []
  const failures = new Failures()
  const code = await run(process.execPath, ['node_modules/tap/dist/esm/run.mjs', '-R', 'tap', ...files], {
    env,
    timeoutMs: TIMEOUT_MS,
    onLine(line) {
      console.log(line)
      failures.add(line)
      const file = /^(?:not )?ok \d+ - (\S+\.test\.ts) # time=([\d.]+)ms/.exec(line)
      if (file !== null) durations.push({ file: file[1]!, seconds: Number(file[2]) / 1000 })
      if (!line.startsWith('# { total:')) return
      counts.passed = countOf(line, 'pass')
      // A test that is skipped or left for later has shown nothing.
      counts.failed = countOf(line, 'fail') + countOf(line, 'skip') + countOf(line, 'todo')
    }
  })
  // A file that crashes or is timed out may have no failed assertion.
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  if (counts.passed + counts.failed === 0) counts.failed = 1
  for (const { file, seconds } of durations.toSorted((a, b) => b.seconds - a.seconds)) console.log(`# ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  for (const failure of failures.end()) console.log(`not ok: ${failure}`)
  return counts
}

function countOf(line: string, word: string): number {
  return Number(new RegExp(`${word}: (\\d+)`).exec(line)?.[1] ?? 0)
}
