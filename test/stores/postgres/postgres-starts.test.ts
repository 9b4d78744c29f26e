import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { PostgresConnection } from '../../../lib/stores/postgres/source/postgres-source.ts'
import { createCertificates } from '../../support/servers/certificates.ts'
import { EXTENSION, LOADER } from '../../support/loader.ts'
import { ROOT } from '../../support/source-files.ts'
import { startPostgres } from '../../support/servers/stores.ts'

const run = promisify(execFile)
const certificates = await createCertificates(t)
const { files } = certificates
const plain = await startPostgres(t, { settings: { wal_level: 'replica', max_wal_senders: '4' } })
const secure = await startPostgres(t, {
  certificates, access: ['local all all trust', 'hostssl all tasks all cert', 'hostssl all all all scram-sha-256']
})
const standby = await startPostgres(t, { standbyOf: plain.url })

async function refusal(broker: string | PostgresConnection): Promise<{ code: string; message: string; noise: string[] }> {
  const noise: string[] = []
  let queueApp: QueueApp
  try {
    queueApp = QueueApp.fromUrls({ broker, onError: error => noise.push(error.message) })
  } catch (error) {
    return { ...error as { code: string }, message: (error as Error).message, noise }
  }
  try {
    await queueApp.start()
    return { code: 'started', message: '', noise }
  } catch (error) {
    return { code: (error as { code: string }).code, message: (error as Error).message, noise }
  } finally {
    await queueApp.stop()
  }
}

const at = (url: string, parameters: string): string => `${url.replace('127.0.0.1', 'localhost')}?${parameters}`

t.test('start() over TLS succeeds or fails as each sslmode requires', async t => {
  const client = `sslcert=${files.clientCert}&sslkey=${files.clientKey}`
  for (const [parameters, message] of [
    [`sslmode=require&${client}`, null],
    [`sslmode=verify-ca&sslrootcert=${files.ca}&${client}`, null],
    [`sslmode=verify-full&sslrootcert=${files.ca}&${client}`, null],
    [`sslmode=prefer&${client}`, null],
    [`sslmode=allow&${client}`, null],
    [`sslmode=verify-full&sslrootcert=${files.otherCa}&${client}`, /certificate/],
    [`sslmode=require&sslrootcert=${files.otherCa}&${client}`, /certificate/],
    [`sslmode=verify-full&${client}`, /certificate/],
    ['sslmode=disable', /encrypt|TLS|sslmode/],
    [`sslmode=verify-full&sslrootcert=/not/there.pem&${client}`, /"\/not\/there.pem", which cannot be read/]
  ] as const) await t.test(parameters.replaceAll(/\/[^&]*\//g, ''), async t => check(t, at(secure.url, parameters), message))
  await check(t, { url: secure.url.replace('127.0.0.1', 'localhost'), tls: { ca: certificates.ca, ...certificates.client } }, null)
  await check(t, { url: secure.url, tls: { ca: certificates.ca, ...certificates.client } }, null)
  await check(t, { url: secure.url, tls: { ca: certificates.ca, ...certificates.client, servername: 'elsewhere' } }, /certificate/)
  for (const mode of ['prefer', 'allow', 'disable']) await check(t, at(plain.url, `sslmode=${mode}`), null)
  await check(t, at(plain.url, 'sslmode=require'), /does not speak TLS|no TLS/)
})

async function check(t: Test, broker: string | PostgresConnection, message: RegExp | null): Promise<void> {
  const found = await refusal(broker)
  if (message === null) return void t.match(found, { code: 'started' })
  t.match(found, { code: /^(STORE_UN|INVALID_OPTIONS)/, message })
  t.same(found.noise, [], 'one error and nothing else')
}

t.test('start() connects over a Unix socket, in the forms of libpq and of the object', async t => {
  const port = new URL(plain.url).port
  for (const broker of [
    `postgres://tasks@/postgres?host=${plain.socketFolder}&port=${port}`,
    { url: `postgres://tasks@:${port}/postgres`.replace(`@:${port}`, '@') + `?port=${port}`, path: plain.socketFolder },
    { url: 'postgres://tasks@/postgres', path: `${plain.socketFolder}/.s.PGSQL.${port}` }
  ]) t.match(await refusal(broker), { code: 'started' }, JSON.stringify(broker))
})

t.test('each obstacle to a start has its own message', async t => {
  for (const [broker, code, message] of [
    [standby.url, 'STORE_UNSUITABLE', /it is a standby, which accepts no writes: use the address of the primary/],
    [plain.url.replace(/\/postgres$/, '/nothing'), 'STORE_UNREACHABLE', /the database does not exist: create it/],
    [at(secure.url, 'sslmode=require').replace('tasks@', 'nobody:wrong@'), 'STORE_UNREACHABLE', /wrong user name or password/],
    [
      { url: at(secure.url, 'sslmode=require').replace('tasks@', 'nobody@'), password: () => { throw new Error('secret') } },
      'STORE_UNREACHABLE', /function `password` failed/
    ]
  ] as ReadonlyArray<[string | PostgresConnection, string, RegExp]>) {
    const found = await refusal(broker)
    t.match(found, { code, message })
    t.same(found.noise, [])
    t.notMatch(found.message, /secret|wrong@/)
  }
})

t.test('a failed start prints nothing to standard error', async t => {
  for (const url of [standby.url, at(plain.url, 'sslmode=require'), plain.url.replace(
    /\/postgres$/, '/nothing'
  ), 'postgres://127.0.0.1:1/db']) {
    const program = `import { QueueApp } from '${join(ROOT, `lib/index${EXTENSION}`)}'
      const queueApp = QueueApp.fromUrls({ broker: process.argv[1] })
      queueApp.task('any', async () => {})
      await queueApp.start().catch(error => { console.log(error.code) })
      await queueApp.stop()`
    const { stdout, stderr } = await run(process.execPath, [...LOADER, '--input-type=module', '-e', program, url])
    t.match(stdout, /^STORE_UN\w+\n$/, url)
    t.equal(stderr, '', url)
  }
})
