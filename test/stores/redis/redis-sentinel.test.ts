import t, { type Test } from 'tap'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import type { StoreSource } from '../../../lib/stores/source/parse-store-source.ts'
import { createCertificates } from '../../support/servers/certificates.ts'
import { startRedisSentinels, type SentinelGroup } from '../../support/servers/redis-sentinel.ts'
import { testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const plain = await startRedisSentinels(t)

t.test('every form of a sentinel URL leads to the primary', async t => {
  const [one, two, three] = plain.sentinels.map(({ port }) => `127.0.0.1:${port}`)
  for (const source of [
    `redis-sentinel://${one},${two},${three}/mymaster`,
    `redis-sentinel://${two}/mymaster/3`,
    `redis-sentinel://${two}/3?name=mymaster`,
    `redis+sentinel://${two}/?sentinelMasterId=mymaster&db=3`,
    `redis-sentinel://${two}/3#mymaster`,
    { sentinels: [{ host: '127.0.0.1', port: 1 }, { host: '127.0.0.1', port: plain.sentinels[2]!.port }], name: 'mymaster', database: 3 }
  ]) {
    const store = await started(t, source)
    t.equal(portOf(store), (await plain.primary()).port, JSON.stringify(source))
    t.equal(await store.documents.put('fruits', 'apple', 1), 1)
  }
})

t.test('unusable sentinels cause one error with the reason', async t => {
  const [one] = plain.sentinels.map(({ port }) => `127.0.0.1:${port}`)
  for (const [url, expected] of [
    [`redis-sentinel://${one}/other`, { code: 'STORE_UNSUITABLE', message: /no primary named "other", but "mymaster"/ }],
    [`redis-sentinel://127.0.0.1:${plain.servers[0]!.port}/mymaster`, {
      code: 'STORE_UNSUITABLE', message: /a Redis server instead of a sentinel: write redis:\/\//
    }],
    ['redis-sentinel://127.0.0.1:1/mymaster', { code: 'STORE_UNREACHABLE', message: /no sentinel answers: connection refused/ }],
    [`redis://${one}`, { code: 'STORE_UNSUITABLE', message: /it is a sentinel.*redis-sentinel:\/\/.*\/mymaster/ }],
    [`redis://${one}/2`, { code: 'STORE_UNSUITABLE', message: /it is a sentinel/ }]
  ] as const) await t.rejects(start(t, url), expected, url)
})

t.test('sentinels and servers can have separate passwords and certificates', async t => {
  const certificates = await createCertificates(t)
  const group = await startRedisSentinels(t, { password: 'of-server', sentinelPassword: 'of-sentinel', certificates })
  const tls = { ca: certificates.ca }
  const sentinels = group.sentinels.map(({ port }) => ({ host: '127.0.0.1', port }))
  const hosts = sentinels.map(({ host, port }) => `${host}:${port}`).join()
  for (const source of [
    { sentinels, name: group.name, tls, password: 'of-server', sentinelPassword: 'of-sentinel' },
    `rediss-sentinel://:of%2Dserver@${hosts}/mymaster?sentinelPassword=of-sentinel&sslrootcert=${encodeURIComponent(certificates.files.ca)}`
  ]) t.equal(await (await started(t, source)).documents.put('fruits', 'apple', 1), 1)

  await t.rejects(start(t, { sentinels, name: group.name, tls, password: 'of-server' }), {
    code: 'STORE_UNREACHABLE', message: /no sentinel answers: a password is needed/
  })
  await t.rejects(
    start(t, { sentinels, name: group.name, password: 'of-server', sentinelPassword: 'of-sentinel' }), { code: 'STORE_UNREACHABLE' }
  )
  const wrong = await start(t, {
    sentinels, name: group.name, tls, password: 'of nobody', sentinelPassword: 'of-sentinel'
  }).catch((error: unknown) => error)
  t.match(wrong, { code: 'STORE_UNREACHABLE', message: /wrong user name or password/ })
  t.notMatch(JSON.stringify(wrong), /of.(nobody|sentinel)/)
})

t.test('clients leave a hanging primary as soon as the sentinels elect another', async t => {
  const group = await startRedisSentinels(t)
  const store = await started(t, sourceOf(group))
  const blocked = (store.patientClient as unknown as { duplicate(): RedisStore['client'] }).duplicate()
  blocked.on('error', () => {})
  await blocked.connect()
  const waiting = blocked.blpop('nothing', 60).catch(() => null)
  const before = await group.primary()
  before.freeze()
  t.teardown(before.thaw)
  await waitFor('another primary', async () => (await group.primary()) !== before)
  const written = await waitFor('a write', () => store.documents.put('fruits', 'pear', 1).catch(() => null))
  t.equal(written, 1)
  await waitFor('the blocking connection to follow', async () => portOf({ client: blocked }) === portOf(store))
  t.equal(portOf(store), (await group.primary()).port)
  blocked.disconnect()
  await waiting
})

function sourceOf(group: SentinelGroup): StoreSource {
  return { sentinels: group.sentinels.map(({ port }) => ({ host: '127.0.0.1', port })), name: group.name }
}

async function started(t: Test, source: StoreSource): Promise<RedisStore> {
  return await start(t, source)
}

async function start(t: Test, source: StoreSource): Promise<RedisStore> {
  const store = createStore(source, { namespace: testNamespace(), role: 'broker', onError() {} }) as RedisStore
  t.teardown(() => store.stop())
  await store.start()
  return store
}

function portOf({ client }: Pick<RedisStore, 'client'>): number | undefined {
  return (client as unknown as { stream?: { remotePort?: number } }).stream?.remotePort
}
