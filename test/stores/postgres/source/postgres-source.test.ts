import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { failureReason } from '../../../../lib/stores/failures/failure-reason.ts'
import {
  parsePostgresSource, type PostgresConnection, type PostgresSource
} from '../../../../lib/stores/postgres/source/postgres-source.ts'
import { isSameStore } from '../../../../lib/stores/source/parse-store-source.ts'

delete process.env['PGSSLMODE']

const parse = (connection: string | PostgresConnection): PostgresSource =>
  parsePostgresSource(typeof connection === 'string' ? { url: connection } : connection, 'postgres:', 'broker')

function refusal(connection: string | PostgresConnection): string {
  try {
    parse(connection)
    return 'not refused'
  } catch (error) {
    return (error as Error).message
  }
}

t.test('a URL locates the server in all forms that libpq accepts', async t => {
  for (const [url, config, label] of [
    ['postgres://me:se%40cret@HOST:5433/my%20db', {
      host: 'host', port: 5433, user: 'me', password: 'se@cret', database: 'my db'
    }, 'postgres://host:5433/my%20db'],
    ['postgres://[::1]/db', { host: '::1', database: 'db' }, 'postgres://[::1]/db'],
    ['postgres:///db?host=/var/run/postgresql', { host: '/var/run/postgresql', database: 'db' }, 'postgres:///db?host=/var/run/postgresql'],
    ['postgres://me:secret@/db?host=/sockets&port=5433', {
      host: '/sockets', port: 5433, user: 'me', password: 'secret', database: 'db'
    }, 'postgres:///db?host=/sockets&port=5433'],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/db', { host: '/var/run/postgresql', database: 'db' }, 'postgres:///db?host=/var/run/postgresql'],
    ['postgres:///db?path=/sockets', { host: '/sockets', database: 'db' }, 'postgres:///db?host=/sockets'],
    ['postgres://?host=h&user=me&password=secret&dbname=db', {
      host: 'h', user: 'me', password: 'secret', database: 'db'
    }, 'postgres://h/db'],
    ['postgres://host/db?application_name=my+app&connect_timeout=3', {
      host: 'host', database: 'db', application_name: 'my+app', connectionTimeoutMillis: 3_000
    }, 'postgres://host/db']
  ] as const) {
    const source = parse(url)
    t.same({ ...source.config, ssl: undefined }, { ...config, ssl: undefined }, url)
    t.equal(source.config.ssl, false, url)
    t.equal(source.label, label, url)
  }
  t.match(parse({ url: 'postgres:///db', path: '/sockets' }), { config: { host: '/sockets' }, label: 'postgres:///db?host=/sockets' })
  t.match(parse({ url: 'postgres:///db', path: '/sockets/.s.PGSQL.5499' }).config, { host: '/sockets', port: 5499 })
})

t.test('an ambiguous or invalid connection is refused in one sentence, without the password', async t => {
  for (const [connection, message] of [
    ['postgres://me:se%cret@host/db', /the password in the URL of the broker has a % .* write %25/],
    ['postgres://me:secret@host:0/db', /port/],
    ['postgres://host/db?port=70000', /port .* from 1 to 65535/],
    ['postgres://me:secret@host:99999/db', /not valid/],
    ['postgres://me:sec#ret@host/db', /percent-encode/],
    ['postgres://host/db#secret', /%23/],
    ['postgres://a:1,b:2/db', /several hosts/],
    ['postgres://a,b/db', /several hosts/],
    ['postgres:///db?host=a,b', /several hosts/],
    ['postgres://host/db?host=other', /the host twice/],
    ['postgres://me:secret@host/db?password=secret', /the password twice/],
    ['postgres://host/db?path=/sockets', /leave one out/],
    ['postgres://host/db?max=3&max=4', /max twice/],
    ['postgres://host/db?max=1', /max .* from 2 to 1000/],
    ['postgres://host/db?max=', /max without a value/],
    ['postgres://host/db?sslmode=', /sslmode without a value/],
    [{ url: 'postgres://host/db', maxConnections: 1.5 }, /maxConnections/],
    [{ url: 'postgres://host/db?max=3', maxConnections: 3 }, /leave one out/],
    [{ url: 'postgres://me:secret@host/db', password: 'secret' }, /leave one out/],
    [{ url: 'postgres://host/db', tls: undefined as never }, /tls of the broker has no value/],
    [{ url: 'postgres://host/db', tls: { ca: '' } }, /tls.ca .* has no value/],
    [{ url: 'postgres://host/db', tls: { ca: '/etc/secret.pem' } }, /must be the text of a PEM file/],
    [{ url: 'postgres://host/db', tls: 'yes' as never }, /tls of the broker/],
    [{ url: 'postgres://host/db?sslmode=require', tls: true }, /leave one out/],
    [{ url: 'postgres:///db', path: '/sockets', tls: true }, /Unix socket, which does not use TLS/],
    [{ url: 'postgres:///db', path: 'sockets' }, /path of the broker/],
    [{ url: 'postgres://host/db', ssl: true } as never, /unknown option "ssl": the options for PostgreSQL are url, tls/],
    [{ url: 'postgres://host/db', directUrl: 'redis://host' }, /directUrl/],
    [{ url: 'postgres://host/db', directUrl: 'postgres://host/db?max=3' }, /directUrl of the broker has max/],
    [{ url: 'postgres://host/db', directUrl: 'postgres://host/db?sslmode=prefer' }, /directUrl of the broker has sslmode prefer/]
  ] as ReadonlyArray<[string | PostgresConnection, RegExp]>) {
    const found = refusal(connection)
    t.match(found, message, JSON.stringify(connection))
    t.notMatch(found, /secret(?!\.pem)|cret@/, JSON.stringify(connection))
  }
})

t.test('unknown and incompatible parameters are refused with the list of known ones', async t => {
  for (const [parameter, hint] of [
    ['options=-c%20search_path%3Dx', /ALTER ROLE/], ['search_path=x', /namespace/], ['ssl=true', /sslmode=require/],
    ['tls=true', /sslmode/], ['ca=/x', /sslrootcert/],
    ['sslmod=require', /unknown/], ['__proto__=x', /unknown/], ['SSLMODE=disable', /unknown/], ['connection_limit=3', /max/],
    ['statement_timeout=5', /unknown/]
  ] as const) {
    const message = refusal(`postgres://host/db?${parameter}`)
    t.match(message, hint, parameter)
    t.match(message, /the known ones are sslmode, sslrootcert, sslcert, sslkey, .*\bmax\b/, parameter)
  }
})

t.test('the number of connections comes from max or maxConnections', async t => {
  t.equal(parse('postgres://host/db').maxConnections, null)
  t.equal(parse('postgres://host/db?max=4').maxConnections, 4)
  t.equal(parse({ url: 'postgres://host/db', maxConnections: 4 }).maxConnections, 4)
})

t.test('a direct URL inherits password and TLS from the pooled URL', async t => {
  t.equal(parse('postgres://host/db').direct, null)
  const { direct } = parse({ url: 'postgres://me@pooler:6432/db', directUrl: 'postgres://me@server/db', password: 'secret', tls: {
    ca: '-----BEGIN CERTIFICATE-----'
  } })
  t.match(direct, { host: 'server', user: 'me', password: 'secret', ssl: { ca: '-----BEGIN CERTIFICATE-----' } })
})

t.test('sslmode means what it means in libpq', async t => {
  const folder = t.testdir()
  const ca = join(folder, 'ca.pem')
  const key = join(folder, 'client.key')
  const otherKey = join(folder, 'other.key')
  for (const [file, certificate] of [[key, ca], [otherKey, join(folder, 'other.pem')]] as const) {
    execFileSync(
      'openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', file, '-out', certificate, '-days', '2', '-subj', '/CN=test'],
      { stdio: 'ignore' }
    )
  }
  const nothing = join(folder, 'nothing.pem')
  writeFileSync(nothing, 'no certificate')
  const ssl = (parameters: string) =>
    parse(`postgres://host/db?${parameters}`).config.ssl as false | {
      ca?: string; rejectUnauthorized?: boolean; checkServerIdentity?(): unknown; key?: string
    }

  t.equal(ssl('sslmode=disable'), false)
  t.same(ssl('sslmode=require'), { rejectUnauthorized: false }, 'encrypted, not verified')
  t.same(ssl('sslmode=verify-full'), {}, "verified with Node's certificate authorities")
  t.same(Object.keys(ssl('sslmode=verify-full&sslrootcert=system')), [])
  t.same(Object.keys(ssl(`sslmode=verify-full&sslrootcert=${ca}`)), ['ca'])
  t.same(Object.keys(ssl(`sslrootcert=${ca}`)), ['ca'], 'a root certificate implies verification')
  for (const mode of ['verify-ca', 'require']) {
    const found = ssl(`sslmode=${mode}&sslrootcert=${ca}`)
    t.same(Object.keys(found), ['ca', 'checkServerIdentity'], mode)
    t.equal(found && found.checkServerIdentity?.(), undefined)
  }
  t.match(ssl(`sslmode=require&sslcert=${ca}&sslkey=${key}`), { rejectUnauthorized: false, cert: /BEGIN CERT/, key: /BEGIN/ })
  for (const [mode, optionalTls] of [['prefer', 'encrypted first'], ['allow', 'plain first'], ['require', null]] as const) {
    t.match(parse(`postgres://host/db?sslmode=${mode}`), { config: { ssl: { rejectUnauthorized: false } }, optionalTls })
  }
  t.equal(parse('postgres:///db?host=/sockets&sslmode=verify-full').config.ssl, false, 'no TLS over a Unix socket')

  for (const [parameters, message] of [
    ['sslmode=no-verify', /must be one of disable, .* \(no-verify is called require\)/],
    ['sslmode=verify-ca', /verify-ca without sslrootcert/],
    ['sslmode=require&sslrootcert=system', /needs sslmode=verify-full/],
    [`sslcert=${ca}`, /sslcert without sslkey/],
    [
      'sslrootcert=/not/there.pem',
      /sslrootcert in the URL of the broker names the file "\/not\/there.pem", which cannot be read \(ENOENT\)/
    ],
    [`sslrootcert=${folder}`, /cannot be read \(EISDIR\)/],
    [`sslrootcert=${nothing}`, /not a PEM file/],
    [`sslcert=${ca}&sslkey=${otherKey}`, /cannot be used: .*KEY_VALUES_MISMATCH/],
    ['sslmode=require&channel_binding=require', /channel_binding=require.*sslmode=verify-full/],
    ['sslnegotiation=direct', /needs sslmode/]
  ] as const) t.match(refusal(`postgres://host/db?${parameters}`), message, parameters)
  t.equal(parse('postgres://host/db?sslmode=verify-full&channel_binding=require').config.enableChannelBinding, true)

  process.env['PGSSLMODE'] = 'require'
  t.teardown(() => { delete process.env['PGSSLMODE'] })
  t.same(ssl(''), { rejectUnauthorized: false }, 'PGSSLMODE is the default, as in libpq')
  t.equal(ssl('sslmode=disable'), false)
  process.env['PGSSLMODE'] = 'yes'
  t.match(refusal('postgres://host/db'), /the environment variable PGSSLMODE must be one of/)
})

t.test('two sources are the same store if all their settings are equal', async t => {
  const password = (): string => 'secret'
  const tls = { rejectUnauthorized: false }
  const url = 'postgres://me@host/db'
  t.ok(isSameStore({ url, password, tls }, { url, password, tls: { ...tls } }))
  t.notOk(isSameStore({ url, password }, { url, password: () => 'secret' }))
  t.notOk(isSameStore(url, { url, tls: true }))
  t.notOk(isSameStore(url, { url, path: undefined as never }.url + '2'))
  t.ok(isSameStore('postgres://me:secret@host/db', { url, password: 'secret' }))
  t.notOk(isSameStore(url, { url, maxConnections: 4 }))
})

t.test('the password function is called for each connection, and what it throws is not revealed', async t => {
  let asked = 0
  const ask = parse({ url: 'postgres://me@host/db', password: () => `token ${++asked}` }).config.password as () => Promise<string>
  t.same([await ask(), await ask()], ['token 1', 'token 2'])
  for (const password of [
    () => { throw new Error('secret') }, () => ({ then: (_: unknown, no: () => void) => { no() } }) as never, () => undefined as never,
    async () => 5 as never, () => ''
  ]) {
    const failing = parse({ url: 'postgres://me@host/db', password }).config.password as () => Promise<string>
    const failure: unknown = await failing().catch((error: unknown) => error)
    t.match(failure, { code: 'PASSWORD_FUNCTION_FAILED' })
    t.match(failureReason(failure), /function `password` failed/)
  }
})
