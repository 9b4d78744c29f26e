import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { freePort } from '../support/servers/free-port.ts'
import { builtPackage } from '../support/programs/packed-package.ts'
import { ROOT } from '../support/source-files.ts'
import { waitFor } from '../support/wait-for.ts'

const run = promisify(execFile)
// It builds the package if that is out of date, and the application.
t.setTimeout(600_000)

const NEXT = join(ROOT, 'node_modules/next/dist/bin/next')

t.test('examples/next builds, starts, shows its queue app behind a password and ends on SIGTERM', async t => {
  // Next.js is found from the application's folder upwards.
  const folder = await mkdtemp(join(ROOT, 'node_modules', '.next-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await cp(join(ROOT, 'examples/next'), folder, { recursive: true })
  const installed = join(folder, 'node_modules/fastify-task-dashboard')
  await mkdir(installed, { recursive: true })
  await cp(await builtPackage(), join(installed, 'dist'), { recursive: true })
  await cp(join(ROOT, 'package.json'), join(installed, 'package.json'))
  await symlink(join(ROOT, 'ui-dist'), join(installed, 'ui-dist'))

  const env = {
    ...process.env, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1', NEXT_MANUAL_SIG_HANDLE: 'true', DASHBOARD_PASSWORD: 'of the test'
  }
  await run(process.execPath, [NEXT, 'build'], { cwd: folder, env })
  const port = await freePort()
  const child = spawn(process.execPath, [NEXT, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')

  const headers = { authorization: `Basic ${btoa('ana:of the test')}` }
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers })
  await waitFor('the example to listen', async () => (await ask('/tasks').catch(() => null)) !== null)
  t.match(await (await ask('/tasks')).text(), '<base href="./tasks/">')
  t.match(await (await ask('/tasks/schedules')).text(), '<base href="./">')
  t.match(await (await ask('/tasks/api/tasks')).json(), [{ name: 'greet' }])
  t.equal((await fetch(`http://127.0.0.1:${port}/tasks/api/tasks`)).status, 401)
  child.kill('SIGTERM')
  t.same(await exit, [0, null], "ended by the example's handler")
})
