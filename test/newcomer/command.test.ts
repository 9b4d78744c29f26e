import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Task } from '../../schemas/task.ts'
import { VERSION } from '../../lib/version.ts'
import { newestProject, packPackage, runPlainly } from '../support/programs/packed-package.ts'
import { openQueue, startOwnersWorker } from '../support/programs/owners-of-queues.ts'
import { freePort } from '../support/servers/free-port.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { isSoak } from '../support/soak.ts'
import { readText } from '../support/source-files.ts'
import { waitFor } from '../support/wait-for.ts'

// Installing takes long on a slow machine.
t.setTimeout(900_000)

const project = await newestProject()

/** In `npm run soak`, npx installs the tarball. Otherwise it finds the command in a folder above, which saves an installation. */
const NPX: readonly [string, ...string[]] = isSoak
  ? ['npx', '--yes', '--prefer-offline', `--package=${(await packPackage()).tarball}`, 'fastify-task-dashboard']
  : ['npx', '--no-install', 'fastify-task-dashboard']

/** Runs the command that was installed from the tarball, and waits until it prints its address. */
function serve(t: Test, args: readonly string[], env: Record<string, string> = {}) {
  return serveAs(t, project, [join(project, 'node_modules/.bin/fastify-task-dashboard'), ...args], env)
}

async function serveAs(t: Test, cwd: string, [command, ...args]: readonly [string, ...string[]], env: Record<string, string>) {
  const { NODE_OPTIONS: _loaders, ...others } = process.env
  // A group of its own, because a shell may start the command as its child.
  const child = spawn(command, args, { cwd, env: { ...others, ...env }, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => { said += data.toString() })
  t.teardown(() => {
    try { process.kill(-child.pid!, 'SIGKILL') } catch { /* It has ended. */ }
  })
  const port = await waitFor(() => `the address, in ${said}`, async () => /http:\/\/[\d.]+:(\d+)/.exec(said)?.[1])
  const address = `http://127.0.0.1:${port}`
  const tasks = async () => await (await fetch(`${address}/api/tasks`)).json() as Task[]
  return { child, address, tasks, said: () => said }
}

t.test('npx shows the queues of a server from an empty folder, with the interface, and nothing is left after a SIGTERM to it', async t => {
  const { stdout } = await runPlainly(project, join(project, 'node_modules/.bin/fastify-task-dashboard'), '--version')
  t.equal(stdout, `${VERSION}\n`)
  const url = await redisUrl(t)
  const queue = openQueue(t, 5, 'emails', url, { defaultJobOptions: { removeOnComplete: true } })
  const worker = startOwnersWorker(t, 5, 'emails', url)
  await queue.add('send', { to: 'ada' })
  await waitFor('the worker', async () => worker.outcomes.length === 1)
  const empty = isSoak ? await mkdtemp(join(tmpdir(), 'tasks-empty-')) : join(project, 'empty')
  await mkdir(empty, { recursive: true })
  t.teardown(() => rm(empty, { recursive: true }))
  const command = await serveAs(t, empty, [...NPX, '--port', '0'], { TASK_DASHBOARD_BROKER: url })
  await waitFor('the history', async () => (await command.tasks())
    .some(({ name, executions }) => name === 'emails' && executions.success === 1))
  const page = await fetch(`${command.address}/`)
  t.match(await page.text(), /<script/)
  t.match(command.said(), /1 queue found: emails/)
  t.notMatch(command.said(), /^ +at /m)
  // npm passes it on to its shell only, and the shell ends without its child.
  command.child.kill('SIGTERM')
  await waitFor('the address to be free', () => fetch(command.address).then(() => false, () => true))
  await waitFor('the processes to end', async () => !isGroupAlive(command.child.pid!))
})

t.test('the demo of the package has executions at once', async t => {
  const demo = await serve(t, ['demo', '--port', '0'])
  await waitFor('an execution', async () => (await demo.tasks()).some(({ executions }) => executions.success > 0))
  t.match(demo.said(), /Everything is in memory/)
})

t.test('the container of the guide has at most ten lines, serves, and ends on SIGTERM with exit code 0', async t => {
  const recipe = /^```dockerfile\n([^]*?)^```$/m.exec(readText('docs/existing-queues.md'))![1]!.trim().split('\n')
  t.ok(recipe.length <= 10, `${recipe.length} lines`)
  const command = recipe.find(line => line.startsWith('CMD '))!.slice('CMD '.length)
  t.notMatch(command, /^\[/, 'a shell runs it, which knows the variables')
  const port = await freePort()
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url).add('send', {})
  const { child, address } = await serveAs(t, project, ['/bin/sh', '-c', `${command} --port ${port}`], {
    TASK_DASHBOARD_BROKER: url, DASHBOARD_USER: 'operator', TASK_DASHBOARD_PASSWORD: 'secret'
  })
  t.equal((await fetch(`${address}/api/tasks`)).status, 401)
  const headers = { authorization: `Basic ${btoa('operator:secret')}` }
  t.match(await (await fetch(`${address}/api/tasks`, { headers })).json(), [{ name: 'emails' }])
  const ended = once(child, 'exit')
  // As a container runtime does: only to its first process, not to the whole group.
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
})

function isGroupAlive(leader: number): boolean {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}
