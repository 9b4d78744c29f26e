import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import t from 'tap'
import { labelsOf } from '../../../lib/cli/commands/serve.ts'
import type { Task } from '../../../schemas/task.ts'
import { startLongScan } from '../../support/network/long-scan.ts'
import { openQueue } from '../../support/programs/owners-of-queues.ts'
import { runCommand, runCommands } from '../../support/programs/run-command.ts'
import { redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('if no one reads its output any more, the command ends without a stack', async t => {
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url).add('send', {})
  const early = runCommand(t, ['--broker', url, '--port', '0'])
  early.child.stdout!.once('data', () => { early.child.stdout!.destroy() })
  await early.ended
  t.same([early.code, early.err], [0, ''])

  for (const args of [['--help'], ['migrate', '--print']]) {
    const command = runCommand(t, args)
    command.child.stdout!.destroy()
    await command.ended
    t.same([command.code, command.err], [0, ''], args.join(' '))
  }
})

t.test('a broker that accepts connections and never answers is reported within seconds', async t => {
  const sockets: Socket[] = []
  const silent = createServer(socket => { sockets.push(socket) })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => {
    silent.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = silent.address() as { port: number }
  for (const scheme of ['redis', 'postgres']) {
    const startedAt = performance.now()
    const command = runCommand(t, ['--broker', `${scheme}://127.0.0.1:${port}`, '--port', '0'])
    await command.ended
    t.equal(command.code, 1, scheme)
    t.match(command.err, /^The broker at \S+ cannot be reached: [^\n]+\n$/)
    t.ok(performance.now() - startedAt < 30_000)
  }
})

t.test('a broker that needs a password, a port in use and a history that cannot be written end with one sentence', async t => {
  const [locked, primary, replica] = [await startRedis(t), await startRedis(t), await startRedis(t)]
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url).add('send', {})
  const redis = new Redis(locked.url)
  const copy = new Redis(replica.url)
  t.teardown(() => { for (const each of [redis, copy]) each.disconnect() })
  await redis.call('CONFIG', 'SET', 'requirepass', 's3cret')
  await copy.call('REPLICAOF', '127.0.0.1', new URL(primary.url).port)
  await waitFor('the replica', async () => String(await copy.call('INFO', 'replication')).includes('master_link_status:up'))
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  const cases: Array<[string[], RegExp]> = [
    [['--broker', locked.url], /password/],
    [['--broker', locked.url.replace('redis://', 'redis://default:wr0ng@')], /wrong user name or password/],
    [['--broker', url, '--backend', replica.url], /^The result backend .+ it is a read-only replica: use the address of the primary/],
    [['--broker', url, '--backend', url, '--port', String(port)], new RegExp(`The port ${port} of 127.0.0.1 is in use`)]
  ]
  for (const [args, said] of cases) {
    const command = runCommand(t, [...args.includes('--port') ? [] : ['--port', '0'], ...args])
    await command.ended
    t.equal(command.code, 1, args.join(' '))
    t.match(command.err, said)
    t.equal(command.err.trim().split('\n').length, 1, command.err)
    t.notMatch(command.err, /s3cret|wr0ng/)
  }
})

t.test('while the result backend is down, the command says so in sentences and does not repeat itself', async t => {
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url).add('send', {})
  const backend = await startRedis(t)
  const command = runCommand(t, ['--broker', url, '--backend', backend.url, '--port', '0'])
  await waitFor('the address', async () => command.out.includes('Dashboard: '))
  const address = /Dashboard: (\S+)/.exec(command.out)![1]!
  await backend.kill()
  const downSince = performance.now()
  await waitFor('health to notice', async () => (await fetch(`${address}/api/health`)).status === 503)
  await waitFor('an error', async () => command.err.includes('ECONNREFUSED'))
  command.child.kill('SIGTERM')
  await command.ended
  const lines = command.err.trim().split('\n')
  t.same(lines.filter(line => !/^(?:A background request to a datastore failed and will be retried: |The )/.test(line)), [])
  const minutes = Math.ceil((performance.now() - downSince) / 60_000)
  t.ok([...new Set(lines)].every(line => lines.filter(each => each === line).length <= minutes), 'each once a minute')
})

t.test('SIGTERM during a long first scan ends the command within seconds', async t => {
  const command = runCommand(t, ['--broker', await startLongScan(t, 30_000), '--backend', await redisUrl(t), '--port', '0'])
  await waitFor('progress', async () => command.out.includes('Looked at'))
  const stoppedAt = performance.now()
  command.child.kill('SIGTERM')
  await command.ended
  t.same([command.code, command.err], [0, ''])
  t.ok(performance.now() - stoppedAt < 5_000)
  t.notMatch(command.out, /Dashboard:/)
})

t.test('a prefix is taken as it is, and several prefixes get different labels', async t => {
  const url = await redisUrl(t)
  const prefixes = ['a*[b]?', 'a:b', 'a/b', 'other\\*']
  for (const prefix of prefixes) await openQueue(t, 6, 'emails', url, { prefix }).add('send', {})
  await openQueue(t, 6, 'not-meant', url, { prefix: 'axxbx' }).add('send', {})
  const backend = await redisUrl(t)
  const command = runCommand(t, ['--broker', url, '--backend', backend, '--port', '0', ...prefixes.flatMap(prefix => ['--prefix', prefix])])
  await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes('Dashboard:'))
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(command.out)!
  const tasks = await (await fetch(`${address}/api/tasks`)).json() as Task[]
  t.same(tasks.map(({ name }) => name).toSorted(), ['a*[b]?/emails', 'a-b-2/emails', 'a-b/emails', 'other\\*/emails'])
})

t.test('labels are short, printable and different', t => {
  const long = '\u{1f600}'.repeat(50)
  const labels = labelsOf(['a:b', 'a-b', 'a/b', `${long}1`, `${long}2`, 'x\u0000y', ':'])
  t.same(labels, ['a-b', 'a-b-2', 'a-b-3', '\u{1f600}'.repeat(40), `${'\u{1f600}'.repeat(38)}-2`, 'x-y', '-'])
  t.end()
})

t.test('an option that would be ignored is refused', async t => {
  const cases: Array<[string[], RegExp]> = [
    [['--broker', 'redis://127.0.0.1:1', '--broker', 'redis://127.0.0.1:2'], /^--broker is given twice\n/],
    [['--broker', 'redis://127.0.0.1:1', '--prefix', ''], /^--prefix is empty/],
    [['--broker', 'redis://127.0.0.1:1', '--password', 's3cret'], /^--password needs a user name: add --user\n/],
    [['doctor', 'http://127.0.0.1:1', '--password', 's3cret'], /^--password needs a user name: add --user\n/],
    [['--broker', 'redis://127.0.0.1:1', '--json'], /^--json needs a command\n/],
    [['demo', '--host', '0.0.0.0'], /^--host is not an option of demo\n/],
    [['doctor', 'http://127.0.0.1:1', '--manage'], /^--manage is not an option of doctor\n/],
    [['migrate', '--print', '--backend', 'embedded:'], /^--backend is not an option of migrate\n/]
  ]
  const results = await runCommands(cases.map(([args]) => args), { TASK_DASHBOARD_PASSWORD: '' })
  for (const [index, [args, said]] of cases.entries()) {
    t.equal(results[index]!.code, 2, args.join(' '))
    t.match(results[index]!.err, said)
  }
})

t.test('a port in use is reported at once, not only when a long first scan has ended', async t => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  for (const args of [['--broker', await startLongScan(t, 30_000), '--backend', await redisUrl(t)], ['demo']]) {
    const command = runCommand(t, [...args, '--port', String(port)])
    await command.ended
    t.equal(command.code, 1)
    t.match(command.err, new RegExp(`^The port ${port} of 127.0.0.1 is in use: choose another with --port\n$`))
    t.equal(command.out, '', 'before anything is opened')
  }
})
