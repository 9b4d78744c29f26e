import { run } from './run.ts'

const bin = (name: string): string => `node_modules/.bin/${name}`

const checks = [
  { title: 'the library builds', command: 'npm', args: ['run', '--silent', 'build'] },
  { title: 'the types of the tests, scripts and examples hold', command: bin('tsc'), args: ['-p', 'test/tsconfig.json'] },
  { title: 'the types of the interface hold', command: bin('tsc'), args: ['-p', 'ui/tsconfig.json', '--noEmit'] },
  { title: 'the code is free of lint', command: bin('eslint'), args: ['.', '--max-warnings', '0'] }
]

/** Lines of a failed check that are repeated at the end. */
const LINES = 40

/** Build, types and lint, two at a time: each counts as one test. @returns the counts, and what each failed check said. */
export async function runChecks(): Promise<{ passed: number, failed: number, failures: string[] }> {
  const counts = { passed: 0, failed: 0 }
  const failures: string[] = []
  const queue = [...checks]
  await Promise.all([work(), work()])
  return { ...counts, failures }

  async function work(): Promise<void> {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const startedAt = Date.now()
      const output: string[] = []
      const code = await run(check.command, check.args, { onLine: line => output.push(line) })
      for (const line of output) console.log(`#   ${line}`)
      console.log(`# ${code === 0 ? 'ok' : 'not ok'} - ${check.title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
      counts[code === 0 ? 'passed' : 'failed']++
      if (code !== 0) failures.push([check.title, ...output.slice(-LINES)].join('\n    '))
    }
  }
}
