import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { QueueApp } from '../../lib/index.ts'
import { EXTENSION, LOADER } from '../support/loader.ts'
import { ROOT } from '../support/source-files.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { connectHalfway, connectUnused, UNUSED_MS } from '../support/network/unused-connection.ts'
import { waitFor } from '../support/wait-for.ts'

for (const host of ['fastify', 'node', 'express', 'koa', 'hono', 'hapi', 'nest']) {
  t.test(`examples/${host} starts, shows its queue app, and on SIGTERM hands back its running execution and ends`, async t => {
    const broker = await redisUrl(t)
    const { address, stop } = await startExample(t, host, { BROKER_URL: broker })
    const page = await fetch(address)
    t.match(await page.text(), '<base href="./tasks/">')
    // On a busy machine its store may be late, and the response is 503.
    const tasks = await waitFor('its tasks', async () => {
      const answer = await fetch(`${address}/api/tasks`)
      return answer.status === 503 ? null : answer
    })
    t.match(await tasks.json(), [{ name: 'greet' }])
    const own = await (await fetch(new URL('/', address))).text()
    t.match(own, host === 'nest' ? 'Cannot GET /' : '<base href="./tasks/">', 'the host answers outside the mount')

    const client = QueueApp.fromUrls({ broker })
    t.teardown(() => client.stop())
    await client.start()
    const executionId = await client.enqueue('greet', ['Ben', 3_600_000])
    const status = async () => (await client.result(executionId))?.status
    await waitFor('the execution to run', async () => await status() === 'running')
    await connectUnused(t, address)
    await connectHalfway(t, address)
    const stoppedAt = performance.now()
    t.equal(await stop(), 0)
    t.ok(performance.now() - stoppedAt < UNUSED_MS, 'it waits neither for a request on an unused connection nor for the rest of one')
    t.equal(await status(), 'pending', 'nothing stays active')
    await t.rejects(fetch(address), 'the port is closed')
  })
}

// Runs the TypeScript sources, as `npm run demo` does.
t.test('examples/demo ends on SIGTERM while its tasks run', async t => {
  const { address, stop } = await startExample(t, 'demo', {}, ['--liftoff-only', '--import', 'tsx'], '.ts')
  t.equal((await fetch(address)).status, 200)
  await connectUnused(t, address)
  await connectHalfway(t, address)
  const stoppedAt = performance.now()
  t.equal(await stop(), 0)
  t.ok(performance.now() - stoppedAt < UNUSED_MS, 'it waits neither for a request on an unused connection nor for the rest of one')
  await t.rejects(fetch(address))
})

async function startExample(
  t: Test, host: string, environment: NodeJS.ProcessEnv, loader = LOADER, extension = EXTENSION
): Promise<{ address: string, stop(): Promise<number | null> }> {
  const child = spawn(process.execPath, [...loader, join(ROOT, 'examples', host, `main${extension}`)], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit') as Promise<[number | null]>
  for await (const line of createInterface(child.stdout)) {
    const address = /http:\S+/.exec(line)?.[0]
    if (address) return { address, stop: async () => { child.kill('SIGTERM'); return (await exit)[0] } }
  }
  throw new Error(`examples/${host} ended before it listened`)
}
