import t from 'tap'
import { createStore } from '../../lib/stores/create-store.ts'
import { failureReason } from '../../lib/stores/failures/failure-reason.ts'
import { loadPackage } from '../../lib/stores/load-package.ts'
import { isSameStore } from '../../lib/stores/source/parse-store-source.ts'
import { newStore } from '../contracts/store.ts'
import { closedPort } from '../support/servers/closed-port.ts'
import { inTime } from '../support/in-time.ts'

const options = { namespace: 'tasks', role: 'broker' as const, onError() {} }

t.test('the scheme of a URL selects the store', async t => {
  for (const [url, kind, label] of [
    ['redis://me:secret@host:6380/2', 'redis', 'redis://host:6380/2'],
    ['rediss://host', 'redis', 'rediss://host'],
    ['valkey://host', 'redis', 'valkey://host'],
    ['REDIS://host', 'redis', 'redis://host'],
    ['postgres://me@host/db?password=secret', 'postgres', 'postgres://host/db'],
    ['postgresql://host/db', 'postgres', 'postgresql://host/db'],
    ['embedded:', 'embedded', 'embedded:'],
    ['embedded:/var/lib/tasks', 'embedded', 'embedded:/var/lib/tasks'],
    ['embedded:///var/lib/tasks', 'embedded', 'embedded:/var/lib/tasks'],
    ['embedded:./tasks', 'embedded', `embedded:${process.cwd()}/tasks`]
  ] as const) {
    const store = createStore(url, options)
    t.same([store.kind, store.label], [kind, label], url)
  }
})

t.test('an unusable URL is refused at construction, without showing its password', async t => {
  t.throws(() => createStore('mysql://host', options), { code: 'UNKNOWN_URL_SCHEME' })
  t.throws(() => createStore('http://host', options), { code: 'UNKNOWN_URL_SCHEME' })
  for (const url of ['', 'localhost', 'redis://host:99999', 'redis://host:port', 'redis://host:0', 'redis://host/database', 'postgres://host:70000/db']) {
    t.throws(() => createStore(url, options), { code: 'INVALID_OPTIONS' }, url)
  }
  t.notMatch(messageOf(() => createStore('redis://me:secret@host:99999', options)), /secret/)
})

t.test('a namespace is a plain name', async t => {
  for (const namespace of ['', 'a-b', 'a b', '1a', 'a'.repeat(41), 'a"b', '{a}']) {
    t.throws(() => createStore('embedded:', { ...options, namespace }), { code: 'INVALID_OPTIONS' }, namespace)
  }
})

t.test('different URLs of one store count as the same store', async t => {
  t.ok(isSameStore('embedded:', 'embedded:'))
  t.ok(isSameStore('embedded:./a', `embedded:${process.cwd()}/a`))
  t.ok(isSameStore('redis://host', 'redis://host:6379/0'))
  t.ok(isSameStore('redis://host', 'valkey://HOST'))
  t.ok(isSameStore('postgres://host/db', 'postgresql://host:5432/db'))
  t.notOk(isSameStore('redis://host/0', 'redis://host/1'))
  t.notOk(isSameStore('redis://host', 'rediss://host'))
  t.notOk(isSameStore('postgres://host/a', 'postgres://host/b'))
  t.notOk(isSameStore('embedded:', 'embedded:./a'))
})

t.test('an unreachable server is one clear error within 5 s, and the process can end', async t => {
  for (const scheme of ['redis', 'postgres']) {
    const url = `${scheme}://me:secret@127.0.0.1:${await closedPort(t)}/0`
    await inTime(t, 'the error', 5_000, async () => {
      const store = newStore(url)
      await t.rejects(store.start(), { code: 'STORE_UNREACHABLE', message: /connection refused/ })
      t.notMatch(await store.start().catch((error: Error) => error.message), /secret/)
      await store.stop()
    })
  }
})

t.test('a missing package is named, with the command that installs it', async t => {
  const missing: string = 'package-that-is-not-there'
  await t.rejects(loadPackage(() => import(missing), missing, 'postgres:'), {
    code: 'MISSING_PACKAGE', message: /npm install package-that-is-not-there/
  })
})

t.test('a failure is described in our own words', async t => {
  const error = (fields: object): Error => Object.assign(new Error('text of the server at 10.0.0.1'), fields)
  t.match(failureReason(error({ code: 'ECONNREFUSED' })), /connection refused/)
  t.match(failureReason(new AggregateError([error({ code: 'ENOTFOUND' })])), /unknown host/)
  t.match(failureReason(error({ code: '28P01' })), /wrong user name or password/)
  t.match(failureReason(new Error('WRONGPASS invalid username-password pair')), /wrong user name or password/)
  t.notMatch(failureReason(error({})), /10\.0\.0\.1/)
})

function messageOf(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
