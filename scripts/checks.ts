import { run } from './run.ts'

/** Checks besides the tests; each counts as one assertion. */
export interface Check {
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
}

export interface CheckResult {
  readonly isOk: boolean
  /** TAP lines for one test. */
  readonly lines: readonly string[]
}

/** Runs before the tests, because some run the build. */
export const BUILD: Check = { title: 'the library builds', command: 'npm', args: ['run', '--silent', 'build'] }

export const CHECKS: readonly Check[] = [
  { title: 'types hold, and the code is free of lint', command: 'npm', args: ['run', '--silent', 'lint'] }
]

/** How many of the last lines of a failed check are shown. */
const LINES = 40

export async function runCheck({ title, command, args }: Check): Promise<CheckResult> {
  const startedAt = performance.now()
  const output: string[] = []
  const code = await run(command, args, { onLine: line => output.push(line) })
  const tookMs = performance.now() - startedAt
  const said = ['  ---', `  exitCode: ${code}`, '  output: |', ...output.slice(-LINES).map(line => `    ${line}`), '  ...']
  return {
    isOk: code === 0,
    lines: [
      ...output.map(line => `#   ${line}`), `${code === 0 ? 'ok' : 'not ok'} - ${title} # time=${tookMs.toFixed(0)}ms`,
      ...(code === 0 ? [] : said), ''
    ]
  }
}
