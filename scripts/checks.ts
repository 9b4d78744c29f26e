import { existsSync } from 'node:fs'
import { run } from './run.ts'

/** Checks besides the tests; each counts as one assertion. */
export interface Check {
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  /** A file that must exist afterwards. */
  readonly makes?: string
}

export interface CheckResult {
  readonly isOk: boolean
  /** TAP lines for one test. */
  readonly lines: readonly string[]
}

/** Some tests wait for it, because they run the built library. */
export const BUILD: Check = { title: 'the library builds', command: 'npm', args: ['run', '--silent', 'build'], makes: 'dist/lib/index.js' }

export const CHECKS: readonly Check[] = [
  { title: 'types hold, and the code is free of lint', command: 'npm', args: ['run', '--silent', 'lint'] }
]

/** How many of the last lines of a failed check are shown. */
const LINES = 40

export async function runCheck({ title, command, args, makes }: Check): Promise<CheckResult> {
  const startedAt = performance.now()
  const output: string[] = []
  const code = await run(command, args, { onLine: line => output.push(line) })
  const tookMs = performance.now() - startedAt
  const isMade = makes === undefined || existsSync(makes)
  const isOk = code === 0 && isMade
  if (!isMade) output.push(`${makes} is missing`)
  const said = ['  ---', `  exitCode: ${code}`, '  output: |', ...output.slice(-LINES).map(line => `    ${line}`), '  ...']
  return {
    isOk,
    lines: [
      ...output.map(line => `#   ${line}`), `${isOk ? 'ok' : 'not ok'} - ${title} # time=${tookMs.toFixed(0)}ms`,
      ...(isOk ? [] : said), ''
    ]
  }
}
