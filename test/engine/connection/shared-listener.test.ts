import { EventEmitter } from 'node:events'
import t from 'tap'
import { createSharedListener } from '../../../lib/engine/connection/shared-listener.ts'
import { waitFor } from '../../support/wait-for.ts'

function createClient(answer: (text: string) => Promise<void> = async () => {}) {
  const asked: string[] = []
  let released = 0
  return Object.assign(new EventEmitter(), {
    asked,
    released: () => released,
    async query(text: string) {
      asked.push(text)
      await answer(text)
      return { rows: [], rowCount: 0 }
    },
    release() { released++ }
  })
}

/** The notifications that one listening client receives, connected in the same way as by BullMQ. */
async function hear(listener: ReturnType<typeof createSharedListener>): Promise<string[]> {
  const ear = await listener.pool.connect()
  const heard: string[] = []
  ear.on('error', () => {})
  ear.on('notification', ({ payload }) => { heard.push(payload!) })
  await ear.query('LISTEN bullmq_jobs')
  return heard
}

t.test('all listeners share one connection that listens once, and each receives every notification', async t => {
  const client = createClient()
  const listener = createSharedListener(async () => client, { findDue: async () => [] })
  const heard = await Promise.all([1, 2, 3].map(() => hear(listener)))
  t.same(client.asked, ['LISTEN bullmq_jobs'])
  client.emit('notification', { channel: 'bullmq_jobs', payload: 'mail' })
  client.emit('notification', { channel: 'another', payload: 'mail' })
  t.same(heard, [['mail'], ['mail'], ['mail']])
  t.equal(listener.mode(), 'listening')
  await listener.close()
  t.equal(client.released(), 1)
})

t.test('if no process can listen, one statement polls all queues that have waiters, and none without waiters', async t => {
  const asked: Array<readonly string[]> = []
  const due = new Set<string>()
  const listener = createSharedListener(async () => null, {
    polledEveryMs: 5,
    async findDue(queues) {
      asked.push(queues)
      return queues.filter(queue => due.has(queue))
    }
  })
  const heard = await hear(listener)
  t.equal(listener.mode(), 'polling')
  const waits = ['mail', 'mail', 'report'].map(queue => listener.wait(queue))
  await waitFor('queues to be polled', async () => asked.length > 2)
  t.same(asked[0], ['mail', 'report'])
  t.same(heard, [])
  due.add('report')
  await waitFor('the worker to be notified', async () => heard.includes('report'))
  for (const wait of waits.slice(0, 2)) wait.end()
  await waitFor('a poll of the remaining queue', async () => asked.at(-1)!.length === 1)
  waits[2]!.end()
  const looks = asked.length
  await new Promise(resolve => { setTimeout(resolve, 40) })
  t.ok(asked.length <= looks + 1, 'one poll may have been under way')
  await listener.close()
})

t.test('the listener polls while its connection is refused, then listens, and misses nothing in between', async t => {
  let isFull = true
  let isDue = false
  const client = createClient(async () => { isDue = true })
  const listener = createSharedListener(
    async () => {
      if (isFull) throw new Error('sorry, too many clients already')
      return client
    },
    { polledEveryMs: 5, triedEveryMs: 10, findDue: async queues => isDue ? [...queues] : [] }
  )
  const heard = await hear(listener)
  t.equal(listener.mode(), 'polling')
  const wait = listener.wait('mail')
  isFull = false
  await waitFor('it to listen', async () => listener.mode() === 'listening')
  await waitFor('the notification for a job that was added before it listened', async () => heard.length > 0)
  wait.end()
  await listener.close()
  t.equal(client.released(), 1)
})

t.test('if statements are refused too, connect() rejects with the first error', async t => {
  const listener = createSharedListener(async () => { throw new Error('first') }, { findDue: async () => { throw new Error('second') } })
  await t.rejects(listener.pool.connect(), { message: 'first' })
  await t.rejects(listener.pool.connect(), { message: 'first' })
  await listener.close()
})

t.test('a connection that ends is replaced, and its listeners get an error that makes them check for jobs themselves', async t => {
  const clients = [createClient(), createClient()]
  let opened = 0
  const listener = createSharedListener(async () => clients[opened++]!, { findDue: async () => [] })
  const ear = await listener.pool.connect()
  const errors: Error[] = []
  ear.on('error', error => { errors.push(error) })
  clients[0]!.emit('error', new Error('Connection terminated unexpectedly'))
  clients[0]!.emit('end')
  t.equal(errors.length, 1)
  const heard = await hear(listener)
  clients[1]!.emit('notification', { channel: 'bullmq_jobs', payload: 'mail' })
  t.same(heard, ['mail'])
  t.equal(clients[0]!.released(), 1)
  await listener.close()
})
