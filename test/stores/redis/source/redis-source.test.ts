import { readFileSync } from 'node:fs'
import t from 'tap'
import { Redis } from 'ioredis'
import { isSameStore, parseStoreSource, type StoreSource } from '../../../../lib/stores/source/parse-store-source.ts'
import type { RedisSource } from '../../../../lib/stores/redis/source/redis-source.ts'
import { createCertificates } from '../../../support/servers/certificates.ts'

const parse = (source: unknown): RedisSource => parseStoreSource(source as StoreSource, 'broker') as RedisSource

t.test('a URL or an object locates the server', async t => {
  for (const [source, options, label] of [
    ['redis://me:se%25cret@Host:6380/2', { host: 'host', port: 6380, username: 'me', password: 'se%cret', db: 2 }, 'redis://host:6380/2'],
    ['redis://', { host: 'localhost', port: 6379 }, 'redis://localhost'],
    ['redis:///1', { host: 'localhost', port: 6379, db: 1 }, 'redis://localhost/1'],
    ['redis://:secret@[::1]:6380?db=3&family=6', { host: '::1', port: 6380, password: 'secret', db: 3, family: 6 }, 'redis://[::1]:6380/3'],
    ['valkeys://host', { host: 'host', port: 6379, tls: {} }, 'valkeys://host'],
    ['redis:///run/redis.sock', { path: '/run/redis.sock' }, 'unix:/run/redis.sock'],
    ['redis://me:secret@/run/my%20redis.sock?db=1', {
      path: '/run/my redis.sock', username: 'me', password: 'secret', db: 1
    }, 'unix:/run/my redis.sock?db=1'],
    ['redis://localhost/1?path=/run/redis.sock', { path: '/run/redis.sock', db: 1 }, 'unix:/run/redis.sock?db=1'],
    ['unix:///run/redis.sock?db=1', { path: '/run/redis.sock', db: 1 }, 'unix:/run/redis.sock?db=1'],
    ['unix://:secret@/run/redis.sock', { path: '/run/redis.sock', password: 'secret' }, 'unix:/run/redis.sock'],
    ['unix:/run/redis.sock', { path: '/run/redis.sock' }, 'unix:/run/redis.sock'],
    ['redis-socket:///run/redis.sock?database=4', { path: '/run/redis.sock', db: 4 }, 'unix:/run/redis.sock?db=4'],
    ['redis-sentinel://me:secret@a,b:1/mymaster/2', {
      sentinels: [{ host: 'a', port: 26379 }, { host: 'b', port: 1 }], name: 'mymaster', username: 'me', password: 'secret', db: 2
    }, 'redis-sentinel://a:26379,b:1/mymaster/2'],
    ['redis-sentinel://a?name=7', { sentinels: [{ host: 'a', port: 26379 }], name: '7' }, 'redis-sentinel://a:26379/7'],
    ['rediss-sentinel://a/m?sentinelPassword=p', {
      name: 'm', sentinelPassword: 'p', tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true
    }, 'rediss-sentinel://a:26379/m'],
    [{ url: 'rediss-sentinel://a/m', sentinelTls: false }, { tls: {}, sentinelTLS: undefined }, 'rediss-sentinel://a:26379/m'],
    [{ url: 'redis://host/1', password: 'secret', database: 2, tls: { servername: 'other' } }, {
      host: 'host', db: 2, password: 'secret', tls: { servername: 'other' }
    }, 'redis://host/2'],
    [{ path: '/run/redis.sock', database: 1 }, { path: '/run/redis.sock', db: 1 }, 'unix:/run/redis.sock?db=1'],
    [{ redis: { host: 'host', port: 7, db: 5 } }, { host: 'host', port: 7, db: 5 }, 'redis://host:7/5'],
    [{ url: 'redis://other/1', redis: { host: 'host', port: 7, db: 5, family: 6 } }, {
      host: 'other', port: 6379, db: 1, family: 6
    }, 'redis://other/1']
  ] as const) {
    const found = parse(source)
    t.match(found.options, options, JSON.stringify(source))
    t.equal(found.label, label)
  }
})

t.test('options of an existing ioredis instance are accepted, and the instance itself is refused', async t => {
  const existing = new Redis({ host: 'host', port: 7, db: 3, password: 'secret', lazyConnect: true })
  t.match(parse({ redis: existing.options }).options, { host: 'host', port: 7, db: 3, password: 'secret' })
  t.throws(() => parse({ redis: existing }), { code: 'INVALID_OPTIONS', message: /existing\.options/ })
  existing.disconnect()
})

t.test('an ambiguous or invalid source is refused with advice and without secrets', async t => {
  for (const [source, message] of [
    ['redis://a:6379,b:6379', /names several hosts: for Redis Sentinel write redis-sentinel:/],
    ['redis://a,b/1', /names several hosts/],
    ['redis://:50%ss-secret@host', /password .* has a %/],
    ['redis://me:12#secret@host', /has a # in it/],
    ['redis://me:12?secret@host', /an unknown parameter \(a \? in a password is written %3F\)/],
    ['redis://me:12/secret@host', /has a \/ before its host: percent-encode special characters of the password \(\/ is %2F\)/],
    ['redis://host?tls=true', /unknown parameter tls: known are db, path, family, sslrootcert, sslcert, sslkey\. For TLS write rediss:/],
    ['redis://host?ca=/etc/ca.pem', /unknown parameter ca/],
    ['redis://host?keyPrefix=mine', /unknown parameter keyPrefix.*`namespace`/],
    ['redis://host?max=3', /unknown parameter max/],
    ['redis://host?__proto__=1', /an unknown parameter \(a \? in a password is written %3F\): known are db, path, family, sslrootcert, sslcert, sslkey$/],
    ['redis://host?constructor=1', /unknown parameter constructor: known are db, path, family, sslrootcert, sslcert, sslkey$/],
    [{ url: 'redis://host', constructor: 1 }, /constructor is not an option/],
    [{ url: 'rediss://host', tls: false }, /encrypts and `tls` is false/],
    [{ url: 'redis://host', tls: [] }, /tls must be true, false or an object/],
    [{ url: 'embedded:', database: 1 }, /leave out database/],
    ['redis://host?db=', /db .* is empty/],
    ['redis://host?db=1&db=2', /twice/],
    ['redis://host/1?db=2', /names two databases/],
    ['redis://host?db=-1', /number of a Redis database/],
    ['redis://host?family=5', /4 or 6/],
    ['redis://host?sslrootcert=/etc/ca.pem', /does not encrypt: write rediss:/],
    ['rediss://host?sslrootcert=/not/there.pem', /\/not\/there\.pem .* does not exist/],
    ['rediss://host?sslcert=/etc/hostname&sslkey=/etc/hostname', /not a PEM file/],
    ['unix://run/redis.sock', /third slash/],
    ['unix:///run/redis.sock?path=/other', /unknown parameter path/],
    ['redis-sentinel://a:26379', /the sentinels' name/],
    ['redis-sentinel://a/m/x', /redis-sentinel:\/\/host:26379\/mymaster\/1/],
    ['redis-sentinel://a:0/m', /port 0/],
    [{ url: undefined, tls: true }, /url is undefined/],
    [{ url: 'redis://host', database: undefined }, /database is undefined/],
    [{ url: 'redis://host', tls: undefined }, /tls is undefined/],
    [{ url: 'redis://host', name: 'mymaster' }, /no sentinels/],
    [{ url: 'redis://host', datbase: 1 }, /datbase is not an option/],
    [{ url: 'redis://host', database: '1' }, /database must be/],
    [{ url: 'rediss://host', tls: { ca: '/etc/ca.pem' } }, /tls\.ca must be the PEM text itself/],
    [{ url: 'rediss://host', tls: { ca: undefined } }, /tls\.ca is undefined/],
    [{ url: 'rediss://host', tls: { rejectUnauthorised: false } }, /rejectUnauthorised is not an option/],
    [{ sentinels: [], name: 'm' }, /must be a list/],
    [{ sentinels: ['a:1'], name: 'm' }, /must be a list/],
    [{ redis: { host: 'host', keyPrefix: 'mine' } }, /redis\.keyPrefix is not supported/],
    [{ redis: { host: 'host', stringNumbers: true } }, /redis\.stringNumbers is not supported/],
    [{ redis: 'redis://host' }, /must be ioredis options/]
  ] as const) {
    const error = await (async () => parse(source))().catch((error: Error) => error)
    t.match(error, { code: 'INVALID_OPTIONS', message }, JSON.stringify(source))
    t.notMatch((error as Error).message, /secret/)
  }
})

t.test('a URL reads certificates from files', async t => {
  const { files, ca, client } = await createCertificates(t)
  const { options } = parse(`rediss://host?sslrootcert=${files.ca}&sslcert=${files.clientCert}&sslkey=${files.clientKey}`)
  t.same(options.tls, { ca, cert: client.cert, key: client.key })
  const { options: both } = parse({ url: `rediss://host?sslrootcert=${files.ca}`, tls: { servername: 'other' } })
  t.same(both.tls, { ca, servername: 'other' })
  t.throws(() => parse(`rediss://host?sslcert=${files.clientCert}`), { message: /both sslcert and sslkey/ })
  t.equal(ca, readFileSync(files.ca, 'utf8'))
})

t.test('sources are the same store only if all their settings are equal', async t => {
  const make = () => new Redis({ lazyConnect: true })
  const other = () => new Redis({ lazyConnect: true })
  for (const [one, two] of [
    ['redis://host', { url: 'redis://host/0' }],
    ['redis://host?db=2', 'valkey://HOST:6379/2'],
    ['unix:///run/redis.sock', { path: '/run/redis.sock' }],
    ['redis-sentinel://a,b/m', { sentinels: [{ host: 'a' }, { host: 'b', port: 26379 }], name: 'm' }],
    [{ url: 'rediss://host', tls: { ca: '-----BEGIN A' } }, { tls: { ca: '-----BEGIN A' }, url: 'rediss://host' }],
    [{ redis: make }, { redis: make }],
    [{ redis: { host: 'host', port: 6379 } }, 'redis://host']
  ] as StoreSource[][]) t.ok(isSameStore(one!, two!), JSON.stringify([one, two]))
  for (const [one, two] of [
    ['redis://host', 'redis://host/1'],
    ['redis://host', 'rediss://host'],
    ['unix:///run/a.sock', 'unix:///run/b.sock'],
    ['redis-sentinel://a/m', 'redis-sentinel://a/n'],
    ['redis-sentinel://a/m', 'redis-sentinel://a/m/1'],
    ['redis-sentinel://a:6379/m', 'redis://a'],
    [{ url: 'rediss://host', tls: { servername: 'a' } }, { url: 'rediss://host', tls: { servername: 'b' } }],
    [{ redis: make }, { redis: other }],
    [{ redis: make }, { redis: make, database: 1 }],
    ['redis://a@host', 'redis://b@host']
  ] as StoreSource[][]) t.notOk(isSameStore(one!, two!), JSON.stringify([one, two]))
  t.notMatch(parse('redis://me:secret@host').identity, /secret/)
})
