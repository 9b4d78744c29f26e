import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPostgresServer } from '../test/support/postgres-server.ts'
import { createRedisServer } from '../test/support/redis-server.ts'
import { runChecks } from './checks.ts'
import { ensurePrograms } from './prerequisites.ts'
import { runTap } from './tap.ts'

/**
 * `npm test`: what is missing is installed, then build, types and lint, then every test on a Redis and a PostgreSQL of its
 * own. `npm test -- test/a.test.ts` runs only those files. The last line is `N passed, N failed`: assertions, plus one for
 * each check before them.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const files = process.argv.slice(2)

await ensurePrograms()
const checks = files.length === 0 ? await runChecks() : { passed: 0, failed: 0, failures: [] }
const tests = await runTests(files)

const [passed, failed] = [checks.passed + tests.passed, checks.failed + tests.failed]
// A CI may keep only the end of the output.
for (const failure of checks.failures) console.log(`not ok: ${failure}`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)

async function runTests(files: readonly string[]): Promise<{ passed: number, failed: number }> {
  const servers = await Promise.all([createRedisServer({ persistent: false }), createPostgresServer()])
  const [redis, postgres] = servers
  // A test that is killed leaves its files behind: here they go with all others. The user of PostgreSQL has to get in.
  const temporary = await mkdtemp(join(tmpdir(), 'tasks-tests-'))
  await chmod(temporary, 0o755)
  try {
    return await runTap(files, { TASKS_TEST_REDIS_URL: redis.url, TASKS_TEST_POSTGRES_URL: postgres.url, TMPDIR: temporary })
  } finally {
    await Promise.all(servers.map(server => server.remove()))
    await rm(temporary, { recursive: true, force: true })
  }
}
