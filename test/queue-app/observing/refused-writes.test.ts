import fastify from 'fastify'
import { Redis } from 'ioredis'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import { guardClient } from '../../../lib/stores/redis/observing/guard-client.ts'
import { isHarmless, READ_COMMANDS } from '../../../lib/stores/redis/observing/read-commands.ts'
import { READ_SCRIPT } from '../../../lib/stores/redis/observing/read-together.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { Session } from '../../../schemas/session.ts'
import { openQueue } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'

t.test('a guarded client sends no command that could write, whichever method is called', async t => {
  const url = await redisUrl(t)
  const free = new Redis(url)
  const client = guardClient(new Redis(url))
  t.teardown(() => { free.disconnect(); client.disconnect() })
  await free.set('key', 'kept')
  await free.rpush('list', 'kept')
  const script = 'return redis.call(\'SET\', KEYS[1], \'changed\')'
  const attempts: Array<[string, () => Promise<unknown>]> = [
    ['a method', () => client.set('key', 'changed')],
    ['call', () => client.call('SET', 'key', 'changed')],
    ['call in lower case', () => client.call('del', 'key')],
    ['a script', () => client.eval(script, 1, 'key')],
    ['a read-only script', () => client.call('EVAL_RO', script, '1', 'key')],
    ['a function', () => client.call('FCALL', 'f', '1', 'key')],
    ['SORT with STORE', () => client.call('SORT', 'list', 'BY', 'nosort', 'STORE', 'key')],
    ['GETEX, which sets an expiry', () => client.call('GETEX', 'key', 'EX', '1')],
    ['GETDEL', () => client.call('GETDEL', 'key')],
    ['XREADGROUP', () => client.call('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', 's', '>')],
    ['CLIENT KILL', () => client.call('CLIENT', 'KILL', 'TYPE', 'normal')],
    ['CLIENT PAUSE', () => client.call('CLIENT', 'PAUSE', '1000')],
    ['CONFIG', () => client.call('CONFIG', 'SET', 'maxmemory', '1mb')],
    ['FLUSHALL', () => client.flushall()],
    ['a defined command', () => {
      client.defineCommand('change', { numberOfKeys: 1, lua: script })
      return (client as unknown as { change(key: string): Promise<unknown> }).change('key')
    }],
    ['a pipeline', async () => {
      const [[error] = []] = await client.pipeline().set('key', 'changed').exec() ?? []
      throw error ?? new Error('no error')
    }],
    ['a transaction', () => client.multi().set('key', 'changed').exec()],
    ['a duplicate', async () => client.duplicate().set('key', 'changed')],
    ['a replaced method', async () => {
      (client as { sendCommand: unknown }).sendCommand = Redis.prototype.sendCommand
      return client.set('key', 'changed')
    }]
  ]
  for (const [name, attempt] of attempts)
    await t.rejects(attempt(), /is only observed|only observes|Cannot assign|discarded/, name)
  const writes = ['2', '1', 'SET', 'changed', 'key', '1', '2', 'DEL', 'key', 'list']
  const answers = await client.call('EVAL_RO', READ_SCRIPT, '0', ...writes) as Error[]
  t.equal(answers.length, 3)
  for (const answer of answers) t.match(answer.message, /Write commands are not allowed from read-only scripts/, 'the server refuses it')
  t.equal(await free.get('key'), 'kept')
  t.same(await free.lrange('list', 0, -1), ['kept'])
  t.equal(await client.get('key'), 'kept', 'and reads work')
})

t.test('the list of allowed commands has none that Redis counts as a write', async t => {
  const redis = new Redis(await redisUrl(t))
  t.teardown(() => redis.disconnect())
  for (const command of READ_COMMANDS) {
    const [info] = await redis.call('COMMAND', 'INFO', command) as Array<[string, number, string[]]>
    t.notOk(info![2].includes('write'), command)
  }
  t.notOk(isHarmless('client', ['NO-EVICT', 'on']))
  t.notOk(isHarmless('cluster', ['RESET']))
  t.notOk(isHarmless('set', ['GET']))
})

t.test('an observing app refuses every change with the reason, and the session says that changes are not supported', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const job = await queue.add('send', { to: 'ada' })
  const queueApp = QueueApp.fromQueues(queue, { onError: error => t.fail(error.message) })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  const app = fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  t.teardown(() => app.close())

  const session = (await app.inject('/tasks/api/session')).json<Session>()
  t.same(session.actions.filter(action => !action.endsWith(':view')), ['failures:resolve', 'failures:reopen'])
  t.match(session, { supports: { changes: false }, history_ends: true })

  const id = encodeURIComponent(`emails:${job.id}`)
  const writes: Array<['POST' | 'PUT' | 'PATCH' | 'DELETE', string, object?]> = [
    ['POST', '/tasks/emails/run', { args: [] }],
    ['POST', `/executions/${id}/cancel`, {}],
    ['PATCH', `/executions/${id}`, { priority: 3 }],
    ['POST', `/executions/${id}/retry`, {}],
    ['DELETE', `/executions/${id}`],
    ['PUT', '/queues/emails/pause', {}],
    ['PUT', '/queues/emails/resume'],
    ['PUT', '/queues/emails/limits', { concurrency: 1 }],
    ['POST', '/schedules/cron', { task_name: 'emails', cron: '0 3 * * *' }],
    ['POST', '/schedules/interval', { task_name: 'emails', interval_ms: 60_000 }],
    ['POST', '/bulk', { action: 'cancel', filter: { task_name: 'emails' }, dry_run: false }]
  ]
  for (const [method, path, payload] of writes) {
    const answer = await app.inject({ method, url: `/tasks/api${path}`, ...payload && { payload } })
    t.equal(answer.statusCode, 409, `${method} ${path}: ${answer.body}`)
    t.match(answer.json<Problem>(), { code: 'OBSERVED_ONLY', detail: /does not change existing queues in this way/ })
  }
  t.throws(() => queueApp.task('emails', async () => {}), { code: 'OBSERVED_ONLY' })
  t.throws(() => queueApp.createScheduler(), { code: 'OBSERVED_ONLY' })
  await t.rejects(queueApp.enqueue('emails', []), { code: 'OBSERVED_ONLY' })
  t.same(await queue.getJobCounts('waiting', 'active', 'completed', 'failed'), { waiting: 1, active: 0, completed: 0, failed: 0 })
})
