import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { Task } from '../../../schemas/task.ts'
import { startLongScan } from '../../support/network/long-scan.ts'
import { connectUnused, UNUSED_MS } from '../../support/network/unused-connection.ts'
import { openQueue } from '../../support/programs/owners-of-queues.ts'
import { runCommand, runCommands } from '../../support/programs/run-command.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('one command serves a dashboard for the queues on a server, only to this machine, and ends on SIGTERM', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 5, 'emails', url)
  await queue.add('send', { to: 'ada' })
  const port = await freePort()
  const command = runCommand(t, ['--broker', url, '--port', String(port)])
  await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes(`http://127.0.0.1:${port}`))
  t.match(command.out, /1 queue found: emails/)
  t.match(command.out, /history is in memory/)
  const tasks = await (await fetch(`http://127.0.0.1:${port}/api/tasks`)).json() as Task[]
  t.match(tasks, [{ name: 'emails', type: 'external', executions: { pending: 1 } }])
  t.match(await (await fetch(`http://127.0.0.1:${port}/`)).text(), /<title>/, 'with the interface')
  await connectUnused(t, `http://127.0.0.1:${port}`)
  const stoppedAt = performance.now()
  command.child.kill('SIGTERM')
  await command.ended
  t.ok(performance.now() - stoppedAt < UNUSED_MS, 'it does not wait for a request on an unused connection')
  t.equal(command.code, 0)
  t.equal(command.err, '')
})

t.test('the command counts queues, not job names; any loopback address can be the host, and answers this machine', async t => {
  const [url, backend] = await Promise.all([redisUrl(t), redisUrl(t)])
  await openQueue(t, 6, 'emails', url).addBulk([{ name: 'welcome', data: {} }, { name: 'invoice', data: {} }])
  const before = QueueApp.fromQueues({ broker: url }, { backend })
  await before.start()
  await before.monitoring.executions({})
  t.equal((await before.monitoring.tasks()).length, 3)
  await before.stop()
  const port = await freePort()
  const command = runCommand(t, ['--broker', url, '--backend', backend, '--port', String(port), '--host', '127.0.0.2'])
  await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes(`http://127.0.0.2:${port}`))
  t.match(command.out, /1 queue found: emails\n/)
  t.equal((await fetch(`http://127.0.0.2:${port}/api/tasks`)).status, 200)
})

t.test('with --user, every client has to give the password', async t => {
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url).add('send', {})
  const port = await freePort()
  const args = ['--broker', url, '--backend', await redisUrl(t), '--port', String(port), '--host', '0.0.0.0', '--user', 'ada']
  const command = runCommand(t, args, { TASK_DASHBOARD_PASSWORD: 's3cret' })
  await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes('Dashboard:'))
  const ask = (headers = {}) => fetch(`http://127.0.0.1:${port}/api/session`, { headers })
  t.equal((await ask()).status, 401)
  const answer = await ask({ authorization: `Basic ${Buffer.from('ada:s3cret').toString('base64')}` })
  t.match(await answer.json(), { user: 'ada', supports: { changes: false } })
  t.notMatch(command.out + command.err, /s3cret/)
})

t.test('the URL of the server can be kept out of the process list', async t => {
  // Opening an embedded store takes two seconds of processor time, so only one way does.
  const [url, backend] = await Promise.all([redisUrl(t), redisUrl(t)])
  await openQueue(t, 6, 'emails', url).add('send', {})
  const folder = await mkdtemp(join(tmpdir(), 'task-dashboard-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'broker'), `${url}\n`)
  const ways: Array<[string, string[], Record<string, string>, string?]> = [
    ['a variable', [], { TASK_DASHBOARD_BROKER: url, TASK_DASHBOARD_BACKEND: backend }],
    ['a file', ['--broker', `@${join(folder, 'broker')}`, '--backend', backend], {}],
    ['standard input', ['--broker', '@-', '--backend', 'embedded:'], {}, url]
  ]
  for (const [name, args, env, input] of ways) {
    const command = runCommand(t, [...args, '--port', '0'], env)
    command.child.stdin!.end(input ?? '')
    await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes('Dashboard:'))
    t.match(command.out, /1 queue found: emails/, name)
    command.child.kill('SIGTERM')
    await command.ended
    t.equal(command.code, 0, name)
  }
  const absent = runCommand(t, ['--broker', `@${join(folder, 'absent')}`])
  await absent.ended
  t.equal(absent.code, 2)
  t.match(absent.err, /absent cannot be read \(ENOENT\)/)
})

t.test('the command waits while a long scan for queues runs, and prints its progress', async t => {
  const command = runCommand(t, ['--broker', await startLongScan(t, 15_000), '--backend', await redisUrl(t), '--port', '0'])
  await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes('Dashboard:'))
  t.match(command.out, /Looked at \d+ keys, found \d queues? …/)
  t.match(command.out, /1 queue found: emails/)
  t.equal(command.err, '')
})

t.test('localhost is served on one address, because a connection to a second one would keep the server from ending', async t => {
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url).add('send', {})
  const folder = t.testdir({
    'two-addresses.mjs': `import dns from 'node:dns'
      const { lookup } = dns
      const addresses = ['127.0.0.1', '127.0.0.2'].map(address => ({ address, family: 4 }))
      dns.lookup = (name, options, answer) => name === 'localhost' && options.all
        ? process.nextTick(answer, null, addresses)
        : lookup(name, options, answer)`
  })
  const port = await freePort()
  const command = runCommand(t, ['--broker', url, '--backend', await redisUrl(t), '--port', String(port), '--host', 'localhost'], {
    NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'two-addresses.mjs')).href}`
  })
  await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes(`http://127.0.0.1:${port}`))
  t.equal((await fetch(`http://127.0.0.1:${port}/api/tasks`)).status, 200)
  await t.rejects(connectUnused(t, `http://127.0.0.2:${port}`), { code: 'ECONNREFUSED' })
})

t.test('the demo needs no server, and has executions at once', async t => {
  const command = runCommand(t, ['demo', '--port', '0'])
  await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes('Dashboard:'))
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(command.out)!
  await waitFor('a finished execution', async () => {
    const tasks = await (await fetch(`${address}/api/tasks`)).json() as Task[]
    return tasks.some(({ executions }) => executions.success > 0)
  })
  command.child.kill('SIGINT')
  await command.ended
  t.equal(command.code, 0)
  t.equal(command.err, '')
})

t.test('wrong arguments and failures end with an exit code and one sentence, without a stack', async t => {
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url, { prefix: 'shop:queues' }).add('send', {})
  const cases: Array<[string[], number, RegExp]> = [
    [['--broker', url], 1, /no queue under the prefix "bull" .* but 1 under "shop:queues": set --prefix/],
    [['--broker', 'redis://127.0.0.1:1'], 1, /broker at redis:\/\/127\.0\.0\.1:1 cannot be reached/],
    [['--broker', 'postgres://127.0.0.1:1/app'], 1, /cannot be reached: connection refused/],
    [['--broker', 'localhost:6379'], 1, /redis:/],
    [['--broker', ''], 2, /--broker is empty/],
    [['--broker', url, '--host', '0.0.0.0'], 2, /other machines: add --user/],
    [['--broker', url, '--user', 'ada'], 2, /needs a password/],
    [['--broker', url, '--port', 'x'], 2, /--port must be/],
    [['--brokre', url], 2, /^There is no option --brokre\n\nUsage:/],
    [['--broker'], 2, /^--broker needs a value\n/],
    [['--broker', url, '--manage=yes'], 2, /^--manage takes no value\n/],
    [['serve', '--broker', url], 2, /^There is no command serve\n/],
    [['redis://:s3cret@localhost'], 2, /^Write --broker before the URL/],
    [['doctor', 'localhost:3000'], 2, /^doctor needs the address of a mounted dashboard/],
    [['migrate'], 2, /^migrate needs either the URL of a PostgreSQL server or --print\n/],
    [['--broker', url, '--backend', './history'], 1, /needs a URL such as redis:\/\/localhost:6379\/0 or embedded:.\/history/],
    [['--broker', 'redis://:p/s3cret@localhost'], 1, /percent-encode special characters of the password/],
    // Node's own way to make folders would never end there.
    [['--broker', url, '--prefix', 'shop:queues', '--backend', 'embedded:/proc/history'], 1, /^The result backend .+ no such file/],
    [['--broker', url, '--namespace', ''], 2, /--namespace is empty/],
    [['demo', '--port', 'x'], 2, /--port must be/],
    [['demo', 'again'], 2, /^demo takes no again\n/],
    [[], 2, /^Add --broker and the URL .+\n\nUsage:/]
  ]
  const results = await runCommands(cases.map(([args]) => args), { TASK_DASHBOARD_PASSWORD: '' })
  for (const [index, [args, code, said]] of cases.entries()) {
    const { out, err, ...ended } = results[index]!
    t.equal(ended.code, code, args.join(' '))
    t.match(err, said)
    t.notMatch(out + err, /^ +at |s3cret/m, 'no stack and no password')
  }
  const texts = [[['--help'], /--broker/], [['-h'], /--broker/], [['--version'], /^\d+\.\d+\.\d+\n$/]] as const
  const told = await runCommands(texts.map(([args]) => args))
  for (const [index, [, said]] of texts.entries()) {
    const { code, out } = told[index]!
    t.equal(code, 0)
    t.match(out, said)
    t.same(out.split('\n').filter(line => line.length > 80), [], 'it fits into 80 columns')
  }
})

t.test('a process that cannot start ends with that exit code', async t => {
  for (const [args, code] of [[['--broker', 'redis://127.0.0.1:1'], 1], [['--brokre', 'redis://127.0.0.1:1'], 2]] as const) {
    const command = runCommand(t, args)
    await command.ended
    t.equal(command.code, code, args.join(' '))
  }
})
