import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { ROOT } from '../support/source-files.ts'

for (const host of ['fastify', 'node', 'express', 'koa', 'hono', 'hapi', 'nest']) {
  t.test(`examples/${host} starts, shows its queue app and ends on SIGTERM`, async (t) => {
    const { address, stop } = await startExample(t, host)
    const page = await fetch(address)
    t.match(await page.text(), '<base href="./tasks/">')
    t.match(await (await fetch(`${address}/api/tasks`)).json(), [{ name: 'greet' }])
    const own = await (await fetch(new URL('/', address))).text()
    t.match(own, host === 'nest' ? 'Cannot GET /' : '<base href="./tasks/">', 'what is not below the mount is the host\'s')
    t.equal(await stop(), 0)
  })
}

async function startExample(t: Test, host: string): Promise<{ address: string, stop(): Promise<number | null> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'examples', host, 'main.ts')], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0' },
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
