import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Task } from '../../schemas/task.ts'
import { VERSION } from '../../lib/version.ts'
import { newestProject, runPlainly } from '../support/programs/packed-package.ts'
import { openQueue, startOwnersWorker } from '../support/programs/owners-of-queues.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

// Installing takes long on a slow machine.
t.setTimeout(900_000)

const project = await newestProject()

/** Runs the command that was installed from the tarball, and waits until it prints its address. */
async function serve(t: Test, args: readonly string[], env: Record<string, string> = {}) {
  const { NODE_OPTIONS: _loaders, ...others } = process.env
  const child = spawn(join(project, 'node_modules/.bin/fastify-task-dashboard'), args, { cwd: project, env: { ...others, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => { said += data.toString() })
  t.teardown(() => child.kill('SIGKILL'))
  const address = await waitFor(() => `the address, in ${said}`, async () => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0])
  const tasks = async () => await (await fetch(`${address}/api/tasks`)).json() as Task[]
  return { child, address, tasks, said: () => said }
}

t.test('the command of the package shows the queues of a server, with its interface', async t => {
  const { stdout } = await runPlainly(project, 'npx', '--no-install', 'fastify-task-dashboard', '--version')
  t.equal(stdout, `${VERSION}\n`)
  const url = await redisUrl(t)
  const queue = openQueue(t, 5, 'emails', url, { defaultJobOptions: { removeOnComplete: true } })
  const worker = startOwnersWorker(t, 5, 'emails', url)
  await queue.add('send', { to: 'ada' })
  await waitFor('the worker', async () => worker.outcomes.length === 1)
  const command = await serve(t, ['--port', '0'], { TASK_DASHBOARD_BROKER: url })
  await waitFor('the history', async () => (await command.tasks())
    .some(({ name, executions }) => name === 'emails' && executions.success === 1))
  const page = await fetch(`${command.address}/`)
  t.match(await page.text(), /<script/)
  t.match(command.said(), /1 queue found: emails/)
  t.notMatch(command.said(), /^ +at /m)
})

t.test('the demo of the package has executions at once', async t => {
  const demo = await serve(t, ['demo', '--port', '0'])
  await waitFor('an execution', async () => (await demo.tasks()).some(({ executions }) => executions.success > 0))
  t.match(demo.said(), /Everything is in memory/)
})
