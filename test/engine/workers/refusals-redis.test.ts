import { mkdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { newStore } from '../../contracts/store.ts'
import { redisUrl, startRedis, type TestScope } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openRefused, testRefusal, testRefusedAttempt, type Refusal } from './refusals.ts'

t.test('writes that Redis refuses for a while change no outcome', async t => {
  const server = await startRedis(t, { persistent: false })
  const admin = connect(t, server.url)
  const set = async (name: string, value: string | number): Promise<void> => { await admin.config('SET', name, value) }
  const folder = (await admin.config('GET', 'dir'))[1]!
  const snapshot = async (): Promise<void> => {
    await admin.bgsave().catch(() => {})
    await waitFor('the snapshot to end', async () => /rdb_bgsave_in_progress:0/.test(await admin.info('persistence')))
  }
  const counted = async (code: string): Promise<number> =>
    Number(new RegExp(`errorstat_${code}:count=(\\d+)`).exec(await admin.info('errorstats'))?.[1] ?? 0)
  const refusals: Record<string, Refusal> = {
    NOREPLICAS: {
      count: () => counted('NOREPLICAS'), refuse: () => set('min-replicas-to-write', 1), accept: () => set('min-replicas-to-write', 0)
    },
    OOM: { count: () => counted('OOM'), refuse: () => set('maxmemory', 1), accept: () => set('maxmemory', 0) },
    READONLY: {
      count: () => counted('READONLY'),
      async refuse() { await admin.replicaof('127.0.0.1', '1') },
      async accept() { await admin.replicaof('NO', 'ONE') }
    },
    MASTERDOWN: {
      count: () => counted('MASTERDOWN'),
      async refuse() {
        await set('replica-serve-stale-data', 'no')
        await admin.replicaof('127.0.0.1', '1')
      },
      async accept() {
        await admin.replicaof('NO', 'ONE')
        await set('replica-serve-stale-data', 'yes')
      }
    },
    MISCONF: {
      count: () => counted('MISCONF'),
      async refuse() {
        await set('save', '3600 1')
        // A folder takes the name of the snapshot file, so that saving fails.
        await rm(join(folder, 'dump.rdb'), { force: true })
        await mkdir(join(folder, 'dump.rdb'))
        await snapshot()
      },
      async accept() {
        await rmdir(join(folder, 'dump.rdb'))
        await snapshot()
        await set('save', '')
      }
    }
  }
  const store = await open(t, server.url)
  const worker = await openRefused(t, store)
  for (const [code, refusal] of Object.entries(refusals)) {
    await t.test(`${code} turns no success into a failure, and nothing runs twice`, t => testRefusal(t, worker, refusal))
  }
  await t.test('a failed attempt whose report is refused counts once', t => testRefusedAttempt(t, worker, refusals.NOREPLICAS!))
})

t.test('refusals that a test server cannot produce, simulated in the client, change no outcome', async t => {
  const store = await open(t, await redisUrl(t))
  const refusing = refusingClient(store)
  const worker = await openRefused(t, store)
  for (const text of [
    'LOADING Redis is loading the dataset in memory',
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    'TRYAGAIN Multiple keys request during rehashing of slot', 'CLUSTERDOWN Hash slot not served',
    'NOSCRIPT No matching script. Please use EVAL.',
    'NOPERM User default has no permissions to run the \'evalsha\' command',
    'ERR Error running script (call to f_0): @user_script:220: @user_script: 220: -NOREPLICAS Not enough good replicas to write.'
  ]) {
    await t.test(text, t => testRefusal(t, worker, refusing(text)))
  }
})

t.test('a lock that expired while it could not be renewed is taken again', async t => {
  const url = await redisUrl(t)
  const store = await open(t, url)
  const refusing = refusingClient(store)
  const worker = await openRefused(t, store)
  const admin = connect(t, url)
  const id = await worker.run(refusing('NOREPLICAS Not enough good replicas to write.'), () => 'done', {
    async whileRefused(executionId) {
      t.equal(await admin.del(`${store.keyPrefix}:refused:${executionId}:lock`), 1)
    }
  })
  t.match(await worker.finish(id), { status: 'success', result: 'done' })
  t.equal(worker.runs, 1)
})

t.test('a lock that another worker holds is not taken over', async t => {
  const url = await redisUrl(t)
  const store = await open(t, url)
  const refusing = refusingClient(store)
  const worker = await openRefused(t, store)
  const admin = connect(t, url)
  const taken = await worker.run(refusing('NOREPLICAS Not enough good replicas to write.'), () => 'done', {
    async whileRefused(executionId) { await admin.set(`${store.keyPrefix}:refused:${executionId}:lock`, 'another') }
  })
  let asked = 0
  const next = await worker.run({ count: async () => asked++, async refuse() {}, async accept() {} }, () => 'next')
  t.match(await worker.finish(next), { status: 'success', result: 'next' }, 'the worker continues')
  t.same(worker.finished.filter(({ executionId }) => executionId === taken), [])
  t.equal(await admin.get(`${store.keyPrefix}:refused:${taken}:lock`), 'another')
})

t.test('a run is handed back even if that is refused at first', async t => {
  const url = await redisUrl(t)
  const store = await open(t, url)
  const refusing = refusingClient(store)
  const { engine, worker, ...refused } = await openRefused(t, store)
  const refusal = refusing('NOREPLICAS Not enough good replicas to write.')
  let stopped: Promise<void> | undefined
  const id = await refused.run({
    ...refusal,
    async refuse() {
      await refusal.refuse()
      stopped = worker.stop({ graceMs: 0 })
    }
  }, () => new Promise(() => {}))
  await stopped
  t.match(await engine.find(['refused'], id), { status: 'pending', attempt: 0 })
  t.same([...refused.finished, ...refused.attempts], [])
})

function connect(t: TestScope, url: string): Redis {
  const client = new Redis(url)
  t.teardown(() => client.disconnect())
  return client
}

async function open(t: Test, url: string): Promise<RedisStore> {
  const store = newStore(url) as RedisStore
  await store.start()
  t.teardown(() => store.stop())
  return store
}

/** Makes the client that workers share answer scripts with an error. */
function refusingClient(store: RedisStore): (text: string) => Refusal {
  let refusal: string | null = null
  let refused = 0
  const client = store.patientClient as Redis
  const send = client.sendCommand.bind(client)
  client.sendCommand = (command, stream) => {
    if (refusal === null || !/^eval(?:sha)?$/i.test(command.name)) return send(command, stream)
    refused++
    command.reject(Object.assign(new Error(refusal), { name: 'ReplyError' }))
    return command.promise
  }
  return text => ({
    count: async () => refused,
    async refuse() { refusal = text },
    async accept() { refusal = null }
  })
}
