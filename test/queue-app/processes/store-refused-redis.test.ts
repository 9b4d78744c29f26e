import { Redis } from 'ioredis'
import t from 'tap'
import { startRedis } from '../../support/servers/stores.ts'
import { testRightsTakenAway, testWorkersRefused } from './store-refused.ts'

t.test('losing rights of its Redis user neither changes outcomes nor asks callers to retry', { timeout: 240_000 }, async t => {
  const server = await startRedis(t, { persistent: false })
  const admin = new Redis(server.url)
  t.teardown(() => admin.disconnect())
  const set = (...rules: string[]) => admin.call('ACL', 'SETUSER', 'app', ...rules)
  await set('on', '>secret', '~*', '&*', '+@all')
  const giveBack = () => set('+@all', 'allkeys')
  /** Ends the blocking commands, which were allowed when they began. */
  const unblock = async (): Promise<void> => {
    const clients = (await admin.client('LIST') as string).split('\n').filter(client => client.includes('cmd=bzpopmin'))
    for (const client of clients) await admin.client('UNBLOCK', /\bid=(\d+)/.exec(client)![1]!)
  }
  await testRightsTakenAway(t, server.url.replace('redis://', 'redis://app:secret@'), [
    {
      name: 'XADD', take: () => set('-xadd'), giveBack, reason: /its user may not run (?:XADD|a command that a script of ours needs)/,
      takesReads: false
    },
    { name: 'scripts', take: () => set('-@scripting'), giveBack, reason: /its user may not run EVAL(?:SHA)?/, takesReads: true },
    {
      name: 'keys', take: () => set('resetkeys', '~others*'), giveBack, reason: /its user may not use a key of this queue app/,
      takesReads: true
    },
    { name: 'everything', take: () => set('-@all'), giveBack, reason: /its user may not run [A-Z]+/, takesReads: true }
  ])
  // RPOPLPUSH runs within a script, and Redis 7.0 does not name it when it refuses. Without BZPOPMIN a worker polls.
  await t.test('health names missing rights', t => testWorkersRefused(t, server.url.replace('redis://', 'redis://app:secret@'), [
    { name: 'RPOPLPUSH', take: () => set('-rpoplpush'), giveBack, reason: /: its user may not run RPOPLPUSH$/ },
    {
      name: 'BZPOPMIN', take: async () => { await set('-bzpopmin'); await unblock() }, giveBack, reason: /: its user may not run BZPOPMIN$/
    }
  ]))
})
