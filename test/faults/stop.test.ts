import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { LOADER } from '../support/loader.ts'
import { startPostgres, startRedis, type TestServer } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

async function endsWithout(t: Test, server: TestServer, bad: 'kill' | 'freeze' = 'kill'): Promise<void> {
  const child = fork(fileURLToPath(new URL('start-app.ts', import.meta.url)), [server.url], {
    execArgv: [...LOADER], stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  let output = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => { output += text })
  await once(child, 'message')
  child.send('run')
  await once(child, 'message')
  await server[bad]()
  if (bad === 'kill') await waitFor('its workers to fail to connect', async () => output.includes('ECONNREFUSED'))
  // Longer than the 15 s between passes of the reconciler, so that it has pending requests too.
  else await sleep(16_000)
  const begun = Date.now()
  child.send('stop')
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(60_000) }) as [number | null]
  t.equal(code, 0)
  t.comment(`ended after ${Date.now() - begun} ms`)
}

// The tests mostly wait, each for its own servers.
t.jobs = 4

t.test('a process that runs something ends by itself when stopped while Redis is down', async t => endsWithout(t, await startRedis(t)))
t.test('a process that runs something ends by itself when stopped while PostgreSQL is down', async t => endsWithout(
  t, await startPostgres(t)
))
t.test('a process ends by itself when stopped while Redis hangs', async t => endsWithout(t, await startRedis(t), 'freeze'))
t.test('a process ends by itself when stopped while PostgreSQL hangs', async t => endsWithout(
  t, await startPostgres(t), 'freeze'
))
