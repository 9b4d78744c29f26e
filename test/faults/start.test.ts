import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { LOADER } from '../support/loader.ts'
import { newEmbeddedUrl, redisUrl } from '../support/servers/stores.ts'
import { closedPort } from '../support/servers/closed-port.ts'

function startApp(t: Test, ...urls: string[]): ChildProcess & { output(): string } {
  const child = fork(fileURLToPath(new URL('start-app.ts', import.meta.url)), urls, {
    execArgv: [...LOADER], stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => { output += text })
  return Object.assign(child, { output: () => output })
}

async function refuses(t: Test, urls: string[], reason: RegExp): Promise<void> {
  const { code, output } = await refusal(t, urls)
  t.not(code, 0, 'the exit code is not 0')
  t.match(output, reason)
  t.equal(output.match(/^\w*Error/gm)?.length, 1, `one error: ${output}`)
  t.notMatch(output, /NOT_STARTED|Warning/, 'nothing else is printed')
  t.notMatch(output, /s3cret/, 'no credentials are shown')
  t.ok(output.length < 3000, `the message is short (${output.length} characters)`)
}

/** The time is the process's own. A busy machine may be late once, a wrong deadline is late every time. */
async function refusal(t: Test, urls: string[], attempt = 1): Promise<{ code: number | null, output: string }> {
  const child = startApp(t, ...urls)
  const [code] = await once(child, 'close') as [number | null]
  const output = child.output()
  const tookMs = Number(/took (\d+) ms/.exec(output)?.[1])
  if (tookMs >= 5_000 && attempt < 3) return await refusal(t, urls, attempt + 1)
  t.ok(tookMs < 5_000, `ends in under 5 s (${tookMs} ms, attempt ${attempt})`)
  return { code, output }
}

t.test('an unknown scheme is refused with the list of known ones', async t => {
  await refuses(t, ['mysql://localhost/tasks'], /scheme "mysql:" for the broker: use redis:.*postgres:.*embedded:\n[^]*UNKNOWN_URL_SCHEME/)
  await refuses(t, ['embedded:', 'localhost:6379'], /scheme "localhost:" for the result backend: use [^]*UNKNOWN_URL_SCHEME/)
})

t.test('an invalid URL is refused', async t => {
  await refuses(t, ['redis://localhost:99999'], /the URL of the broker is not valid: check its host and port[^]*INVALID_OPTIONS/)
})

t.test('an unreachable broker or result backend is refused at start', async t => {
  const port = await closedPort(t)
  await refuses(t, [`redis://:s3cret@127.0.0.1:${port}`], /The broker at redis:.* cannot be reached[^]*STORE_UNREACHABLE/)
  await refuses(t, [`postgres://me:s3cret@127.0.0.1:${port}/tasks`], /The broker at postgres:.* cannot be reached[^]*STORE_UNREACHABLE/)
  await refuses(t, [await redisUrl(t), `redis://127.0.0.1:${port}`], /The result backend at .* cannot be reached[^]*STORE_UNREACHABLE/)
})

t.test('a second process on an embedded folder is refused, and the first continues', async t => {
  const url = await newEmbeddedUrl(t)
  const first = startApp(t, url)
  await once(first, 'message')
  await refuses(t, [url], new RegExp(`in use by process ${first.pid}\\.[^]*EMBEDDED_FOLDER_IN_USE`))
  first.send('stop')
  const [code] = await once(first, 'close') as [number | null]
  t.equal(code, 0, first.output())
  const next = startApp(t, url)
  await once(next, 'message')
  next.send('stop')
  t.equal((await once(next, 'close') as [number | null])[0], 0, 'the folder is free again after a stop')
})
