import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { Redis } from 'ioredis'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { StoreSource } from '../../../lib/stores/source/parse-store-source.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { createCertificates } from '../../support/servers/certificates.ts'
import { inTime } from '../../support/in-time.ts'
import { startRedis, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const certificates = await createCertificates(t)
const { files, ca, otherCa, client } = certificates
const encrypted = await startRedis(t, { tls: { certificates, requireClient: true }, password: 'right' })
const plain = await startRedis(t, { databases: 2 })

t.test('a client certificate can be given in an object and as files in a URL', async t => {
  const url = `rediss://:right@localhost:${encrypted.port}`
  for (const source of [
    { url, tls: { ca, cert: client.cert, key: client.key } },
    { url: `redis://localhost:${encrypted.port}`, password: 'right', tls: { ca, cert: [client.cert], key: Buffer.from(client.key) } },
    `${url}?sslrootcert=${files.ca}&sslcert=${files.clientCert}&sslkey=${files.clientKey}`
  ]) t.equal(await (await start(t, source)).documents.put('fruits', 'apple', 1), 1)
})

t.test('each TLS failure has its own message', async t => {
  const url = `rediss://:right@localhost:${encrypted.port}`
  const own = { cert: client.cert, key: client.key }
  for (const [source, message] of [
    [{ url, tls: { ca } }, /client certificate/],
    [{ url, tls: own }, /authority/],
    [{ url, tls: { ...own, ca: otherCa } }, /authority/],
    [{ url, tls: { ...own, ca, servername: 'other.example' } }, /certificate is for another host/],
    [`redis://:right@localhost:${encrypted.port}`, /it accepts only TLS: write rediss:/],
    [`rediss://localhost:${plain.port}`, /it does not use TLS: write redis:/]
  ] as Array<[StoreSource, RegExp]>) {
    await refused(t, source, { code: 'STORE_UNREACHABLE', message })
  }
})

t.test('a Unix socket can be given in every form', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-socket-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'redis.sock')
  await startRedis(t, { args: ['--unixsocket', path], password: 'right' })
  for (const source of [
    `unix://:right@${path}?db=3`, `redis://:right@${path}`, `redis://:right@localhost/3?path=${path}`,
    { path, password: 'right', database: 3 }, { url: `unix:${path}`, password: 'right' }
  ]) t.equal(await (await start(t, source)).documents.put('fruits', 'apple', 1), 1)
  await refused(t, `unix://:right@${path}.other`, { code: 'STORE_UNREACHABLE', message: /no such file|does not exist/ })
})

t.test('a database that does not exist is refused, and nothing is written to another one', async t => {
  const redis = new Redis(plain.url)
  t.teardown(() => redis.disconnect())
  for (const number of [2, 99]) {
    await refused(t, `${plain.url}/${number}`, {
      code: 'STORE_UNSUITABLE', message: new RegExp(`it has no database ${number}: use a lower number`)
    })
  }
  t.equal(await redis.dbsize(), 0)
})

t.test('when a database is refused later, no connection falls back to database 0', async t => {
  const server = await startRedis(t)
  const admin = new Redis(server.url)
  t.teardown(() => admin.disconnect())
  await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '&*', '+@all')
  const errors: Error[] = []
  const store = await start(t, `redis://app:secret@127.0.0.1:${server.port}/5`, errors)
  const blocking = (store.patientClient as Redis).duplicate()
  const twice = blocking.duplicate()
  for (const each of [blocking, twice]) {
    each.on('error', () => {})
    t.teardown(() => each.disconnect())
    await each.connect()
  }
  await admin.call('ACL', 'SETUSER', 'app', '-select')
  await admin.call('CLIENT', 'KILL', 'USER', 'app')
  const writes = [store.patientClient, blocking, twice].map((each, index) => each.set(`fruit ${index}`, 'apple'))
  const asked = await waitFor('the refusal', async () => errors.find(({ message }) => /NOPERM/.test(message)))
  t.notMatch(inspect(asked), /secret/)
  await t.rejects(store.documents.put('fruits', 'apple', 1))
  t.equal(await admin.dbsize(), 0)
  await admin.call('ACL', 'SETUSER', 'app', '+select')
  t.same(await Promise.all(writes), ['OK', 'OK', 'OK'])
  t.equal(await waitFor('a write', () => store.documents.put('fruits', 'apple', 1).catch(() => null)), 1)
  t.equal(await admin.dbsize(), 0)
  await admin.select(5)
  t.ok(await admin.dbsize() >= 4)
})

t.test('a server without free connections is reported as full', async t => {
  const server = await startRedis(t, { args: ['--maxclients', '4'] })
  const others = await Promise.all(Array.from({ length: 4 }, async () => {
    const redis = new Redis(server.url, { lazyConnect: true })
    t.teardown(() => redis.disconnect())
    await redis.connect()
    return redis
  }))
  await refused(t, server.url, { code: 'STORE_UNREACHABLE', message: /the server is full.*maxclients/ })
  // Frees one of the two connections that a start needs.
  others[0]!.disconnect()
  await waitFor('its end', async () =>
    !(await others[1]!.call('CLIENT', 'LIST') as string).includes('\n') ||
      (await others[1]!.info('clients')).includes('connected_clients:3'))
  await refused(t, server.url, { code: 'STORE_UNREACHABLE', message: /the server is full/ })
  for (const other of others) other.disconnect()
  const store = await waitFor('room', () => start(t, server.url).catch(() => null))
  t.equal(await store.documents.put('fruits', 'apple', 1), 1)
})

t.test('a `redis` function creates each client, and stop() closes them all', async t => {
  const made: Redis[] = []
  const source: StoreSource = {
    redis(options) {
      const redis = new Redis({ ...options, port: plain.port, host: '127.0.0.1', db: 1 })
      made.push(redis)
      return redis
    }
  }
  const store = await start(t, source)
  const blocking = (store.patientClient as Redis).duplicate({ connectionName: 'waiting' })
  await blocking.connect()
  t.equal(made.length, 3)
  t.equal(await blocking.client('GETNAME'), 'waiting')
  t.equal(await store.documents.put('fruits', 'apple', 1), 1)
  await store.stop()
  await waitFor('each client to end', async () => made.every(({ status }) => status === 'end'))

  // Options that the function omits are set, so that requests do not wait.
  const bare = await start(t, { redis: () => new Redis(plain.port, '127.0.0.1') })
  t.equal((bare.client as Redis).options.enableOfflineQueue, false)
  t.equal(await bare.documents.put('fruits', 'apple', 1), 1)
  await refused(t, { redis: () => ({}) as Redis }, { code: 'INVALID_OPTIONS', message: /did not return an ioredis client/ })
  await refused(t, { redis: () => { throw new Error('no token') } }, {
    code: 'INVALID_OPTIONS', message: /the function `redis` failed: no token/
  })
  await refused(t, { redis: () => new Redis(plain.port, { keyPrefix: 'mine' }) }, { code: 'INVALID_OPTIONS', message: /keyPrefix/ })
  const beyond: StoreSource = { redis: options => new Redis({ ...options, port: plain.port, host: '127.0.0.1', db: 99_999 }) }
  await refused(t, beyond, {
    code: 'STORE_UNSUITABLE', message: /it has no database of the number that the function chose: use a lower number/
  })
})

t.test('options of an existing instance create clients of our own', async t => {
  const existing = new Redis({ port: plain.port, host: '127.0.0.1', db: 1 })
  t.teardown(() => existing.disconnect())
  const store = await start(t, { redis: existing.options })
  t.equal(await store.documents.put('fruits', 'apple', 1), 1)
  t.ok(await existing.exists('{tasks}') === 0 && existing.options.enableOfflineQueue, 'the instance is left unchanged')
})

/** Refused within 5 s, without any background error. */
async function refused(t: Test, source: StoreSource, expected: object): Promise<void> {
  const errors: Error[] = []
  const name = typeof source === 'string' ? source : inspect(source).slice(0, 80)
  await inTime(t, 'the error', 5_000, async () => {
    const error = await start(t, source, errors).catch((error: unknown) => error)
    t.match(error, expected, name)
    t.notMatch(inspect(error, { depth: 9, showHidden: true }), /right|PRIVATE KEY/)
  })
  t.same(errors, [], name)
}

async function start(t: Test, source: StoreSource, errors: Error[] = []): Promise<RedisStore> {
  const store = createStore(source, { namespace: testNamespace(), role: 'broker', onError: error => { errors.push(error) } }) as RedisStore
  t.teardown(() => store.stop())
  await store.start()
  return store
}
