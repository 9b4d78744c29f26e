import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { listFiles, PROJECT } from '../support/source-files.ts'
import { waitFor } from '../support/wait-for.ts'

/** With only a few files, each is compiled separately. */
const FILES = listFiles('test/time', /\.test\.ts$/).slice(0, 4)

const cases = [
  { who: 'a run whose terminal is closed while its servers start', made: 'tasks-redis-', signal: 'SIGHUP', isForAll: true },
  { who: 'a run whose npm is told to end while the sources are compiled', made: 'compiled', signal: 'SIGTERM', isForAll: false }
] as const

/** The environment of a separate run: whatever it leaves unfinished when it is stopped would otherwise be missing in this run. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TASKS_TEST_')))

for (const { who, made, signal, isForAll } of cases) {
  t.test(`${who} ends and leaves no files`, async t => {
    // The path is short because it contains sockets. The user of the database needs access to it.
    const parent = await mkdtemp(join(tmpdir(), 'r-'))
    await chmod(parent, 0o755)
    t.teardown(() => rm(parent, { recursive: true, force: true, maxRetries: 5 }))
    const npm = spawn('npm', ['test', '--', ...FILES], {
      cwd: PROJECT, env: { ...env, NODE_OPTIONS: '', TMPDIR: parent }, stdio: ['ignore', 'pipe', 'inherit'],
      // A separate process group, as a terminal creates it.
      detached: true
    })
    const end = (how: NodeJS.Signals): void => { process.kill(-npm.pid!, how) }
    t.teardown(() => { if (npm.exitCode === null && npm.signalCode === null) end('SIGKILL') })
    let output = ''
    npm.stdout.setEncoding('utf8').on('data', (text: string) => { output += text })
    await waitFor(() => `the folder ${made}, in ${output}`, async () => {
      const folder = (await readdir(parent)).find(name => name.startsWith('tasks-tests-'))
      return folder !== undefined && (await readdir(join(parent, folder))).some(name => name.startsWith(made))
    })
    if (isForAll) end(signal)
    else npm.kill(signal)
    // The output stays open as long as anything runs.
    await once(npm, 'close')
    t.same((await readdir(parent)).filter(name => name.startsWith('tasks-')), [])
    t.match(output.trimEnd().split('\n').at(-1), /^\d+ passed, [1-9]\d* failed$/)
  })
}
