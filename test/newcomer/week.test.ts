import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { newestProject } from '../support/programs/packed-package.ts'
import { readText } from '../support/source-files.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { MISTAKES, PROJECT } from './week-programs.ts'

// Packing and installing takes long on a slow machine.
t.setTimeout(900_000)

const run = promisify(execFile)
const project = await newestProject()
for (const [path, text] of Object.entries(PROJECT)) await writeFile(join(project, path), text)

t.test('orders enqueued before any worker has started survive the redeployment of workers, and none is ' +
  'lost or repeated without cause', async t => {
  const environment = { REDIS_URL: await redisUrl(t), TALLY: join(project, 'tally') }
  const web = await start(t, 'web.js', environment)
  const address = web.said
  const api = async (path: string) => await (await fetch(`${address}/tasks/api/${path}`)).json() as Record<string, unknown>
  const order = async (name: string) => {
    const { status } = await fetch(`${address}/orders`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ order: name })
    })
    t.equal(status, 202, name)
  }
  const count = async (name: RegExp, what: string) =>
    (await linesOf(environment.TALLY)).filter(line => name.test(line) && line.endsWith(` ${what}`)).length
  const untilAllLongRun = () =>
    waitFor('every long order to run', async () => await count(/^long/, 'begun') - await count(/^long/, 'stopped') === long.length)

  t.match(await api('health'), { status: 'degraded', components: { workers: { healthy: false } } })
  // More than one worker can run at once.
  const long = Array.from({ length: 4 }, (_, index) => `long-${index}`)
  const short = Array.from({ length: 20 }, (_, index) => `short-${index}`)
  const all = [...long, ...short]
  for (const name of all) await order(name)

  const workers = [await start(t, 'worker.js', environment), await start(t, 'worker.js', environment)]
  for (const old of [...workers]) {
    await untilAllLongRun()
    t.same(await old.stop(), { code: 0, stderr: '' }, 'a worker ends without errors')
    workers.push(await start(t, 'worker.js', environment))
  }
  await untilAllLongRun()
  t.ok(await count(/^long/, 'stopped') >= 2, 'each old worker stopped during an order')
  await writeFile(`${environment.TALLY}.release`, '')
  await waitFor('every order to be shipped', async () => await count(/./, 'done') >= all.length)
  for (const name of all) {
    const ofName = new RegExp(`^${name} `)
    t.equal(await count(ofName, 'done'), 1, `${name} is shipped once`)
    t.equal(await count(ofName, 'begun'), 1 + await count(ofName, 'stopped'), `${name} is repeated only after a stop`)
  }
  await waitFor('the ledger', async () => {
    const { executions } = await api('tasks/order%3Aship') as { executions: Record<string, number> }
    return executions['success'] === all.length && executions['pending'] === 0 && executions['running'] === 0 && executions['failed'] === 0
  })
  t.match(await api('health'), { status: 'healthy' })
  t.same(await Promise.all([web, ...workers.slice(2)].map(program => program.stop())), [0, 1, 2].map(() => ({ code: 0, stderr: '' })))
  await t.rejects(fetch(address), 'the port is closed')
})

t.test('each typical mistake is reported at once, with the message from docs/errors.md', async t => {
  const { stdout, stderr } = await run(process.execPath, ['mistakes.js'], {
    cwd: project, timeout: 240_000, env: environmentOf({ REDIS_URL: await redisUrl(t) })
  })
  const { seen, counted } = JSON.parse(stdout) as {
    seen: Record<string, { code: string, message: string, statusCode: number }>, counted: object
  }
  t.same(Object.keys(seen).toSorted(), Object.keys(MISTAKES).toSorted())
  for (const [mistake, [code, names]] of Object.entries(MISTAKES)) {
    const told = seen[mistake]
    t.equal(told?.code, code, `${mistake}: ${told?.message}`)
    t.match(told?.message, names, mistake)
    t.match(told?.message, documentedMessage(code), `${mistake}: as in docs/errors.md`)
  }
  t.match(counted, { status: 'success', result: null }, 'a result that JSON cannot hold does not fail the run')
  t.notMatch(stderr, /NOT_STARTED|UnhandledPromise/)
})

interface Program {
  /** The first line of its output. */
  readonly said: string
  /** Sends SIGTERM. */
  stop(): Promise<{ code: number | null, stderr: string }>
}

async function start(t: Test, path: string, environment: NodeJS.ProcessEnv): Promise<Program> {
  const child = spawn(process.execPath, [path], { cwd: project, env: environmentOf(environment), stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const exit = once(child, 'close') as Promise<[number | null]>
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text })
  const [said] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exit.then(([code]) => { throw new Error(`${path} ended with ${code}: ${stderr}`) })
  ])
  return {
    said,
    async stop() {
      stderr = ''
      child.kill('SIGTERM')
      return { code: (await exit)[0], stderr }
    }
  }
}

/** The environment of a newcomer, not of a test runner. */
function environmentOf(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, ...environment }
}

async function linesOf(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').slice(0, -1)
}

/** The example message of a code, in which … matches anything. */
function documentedMessage(code: string): RegExp {
  const section = readText('docs/errors.md').split(`### ${code}\n`)[1] ?? ''
  const start = section.indexOf('“') + 1
  const text = section.slice(start, section.indexOf('”', start))
  return new RegExp(`^${text.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]+')}$`)
}
