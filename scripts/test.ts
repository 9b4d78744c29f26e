import { readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { compileTree } from './compiled-tree.ts'
import { onEndingSignal } from './ending-signals.ts'
import { isQuick, runsCompiled } from './file-loads.ts'
import { writeLoads } from './measured-loads.ts'
import { packFiles } from './packs.ts'
import { addHeadlessShell, ensurePrograms } from './prerequisites.ts'
import { runSuite, type SuiteOptions, type SuiteResult } from './run-suite.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/**
 * `npm test` installs missing programs, then runs build, types, lint and every test on its own Redis and PostgreSQL. `npm test --
 * test/a.test.ts` runs only those files, `npm run test:quick` all short ones. The last line is `N passed, N failed`: assertions, plus one
 * per check.
 *
 * The scripts of package.json use `exec node --import tsx`, so that npm starts this process without a shell or tsx's own command in
 * between. A shell would not pass signals on, and tsx kills a process that does not react to a signal within 60 ms.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { values: { jobs, timeout, quick, measure }, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Cores to keep busy. */
    jobs: { type: 'string', default: '2' },
    /** Seconds per file. */
    timeout: { type: 'string', default: '600' },
    quick: { type: 'boolean', default: false },
    /** Writes how long each file took to scripts/file-loads.json. Use it for a run of all files on an otherwise idle machine. */
    measure: { type: 'boolean', default: false }
  }
})

/** Up to this many files, compiling them one by one is faster than compiling everything. */
const MAX_APART = 3

/** The result of a run that is stopped before its first test. */
const STOPPED: SuiteResult = { passed: 0, failed: 1, durations: [] }

await ensurePrograms()
if (positionals.length === 0 && !quick) await addHeadlessShell()
const { passed, failed, durations } = await runTests({
  files: positionals.length > 0 ? positionals : allFiles().filter(file => !quick || isQuick(file)),
  withChecks: positionals.length === 0 && !quick,
  jobs: Number(jobs),
  timeoutMs: Number(timeout) * 1000
})
if (measure && failed === 0) await writeLoads(durations)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)

async function runTests(options: Omit<SuiteOptions, 'treeOf' | 'loadOf' | 'env' | 'stopped'>): Promise<SuiteResult> {
  const stop = new AbortController()
  const stopListening = onEndingSignal(() => { stop.abort() })
  // A killed test leaves its files behind. In this folder, they are removed with everything else.
  const temporary = await createTemporaryFolder()
  process.env['TMPDIR'] = temporary
  const servers: Array<{ remove(): Promise<void> }> = []
  try {
    const redis = await createRedisServer({ persistent: false })
    servers.push(redis)
    if (stop.signal.aborted) return STOPPED
    const postgres = await createPostgresServer()
    servers.push(postgres)
    if (stop.signal.aborted) return STOPPED
    const isApart = options.files.filter(runsCompiled).length <= MAX_APART
    const compiled = isApart ? null : await compileTree(process.cwd(), join(temporary, 'compiled'))
    const treeOf = (file: string): string | null => compiled !== null && runsCompiled(file) ? compiled(file) : null
    const shared = join(temporary, 'shared')
    await mkdir(shared)
    const env = {
      TASKS_TEST_REDIS_URL: redis.url, TASKS_TEST_POSTGRES_URL: postgres.url, TASKS_TEST_PROJECT: process.cwd(),
      TASKS_TEST_SHARED: shared
    }
    return await runSuite({ ...options, ...await packFiles(options.files, treeOf), env, stopped: stop.signal })
  } catch (error) {
    // A terminal sends Ctrl-C to the servers and to the compiler too, so they may fail.
    if (stop.signal.aborted) return STOPPED
    throw error
  } finally {
    await Promise.all(servers.map(server => server.remove()))
    // Unfinished work may still write files.
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
    stopListening()
  }
}

function allFiles(): string[] {
  return readdirSync('test', {
    recursive: true, encoding: 'utf8'
  }).filter(path => path.endsWith('.test.ts')).map(path => `test/${path}`).toSorted()
}
