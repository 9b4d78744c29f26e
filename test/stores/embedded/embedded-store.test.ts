import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { lockFolder } from '../../../lib/stores/embedded/database/folder-lock.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { newStore, testStore } from '../../contracts/store.ts'
import { LOADER } from '../../support/loader.ts'
import { isSoak } from '../../support/soak.ts'
import { embeddedUrl, newEmbeddedUrl } from '../../support/servers/stores.ts'

t.test('an embedded store in a folder keeps the contract of stores', async t => testStore(t, embeddedUrl))
// A store in memory differs only in that it has no files.
if (isSoak) t.test('an embedded store in memory keeps the contract of stores', async t => testStore(t, async () => 'embedded:'))

t.test('a folder in use is refused to this process and others, and is free again after stop()', async t => {
  const url = await embeddedUrl(t)
  const store = newStore(url)
  await store.start()
  await t.rejects(newStore(url).start(), { code: 'EMBEDDED_FOLDER_IN_USE', message: new RegExp(String(process.pid)) })
  const other = runProcess(url)
  t.equal((await once(other.child, 'close'))[0], 1)
  t.match(other.output(), /EMBEDDED_FOLDER_IN_USE/)
  t.notMatch(other.output(), /.{2000}/)
  const tookMs = Number(/ended after (\d+) ms/.exec(other.output())?.[1])
  t.ok(tookMs < 5_000, `${tookMs} ms`)
  await store.stop()
  const again = newStore(url)
  await again.start()
  await again.stop()
})

t.test('acknowledged writes survive a killed process, and its lock is taken over', async t => {
  const url = await newEmbeddedUrl(t)
  const { child, output } = runProcess(url)
  while (!/written (\d+)/.test(output()) || Number(/written (\d+)\n$/.exec(output())?.[1] ?? 0) < 200) await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  const last = Number(output().trim().split('\n').at(-1)!.split(' ')[1])
  const store = newStore(url, 'killed')
  await store.start()
  t.teardown(() => store.stop())
  const [written] = await store.documents.counters('writes', ['all'])
  t.ok(written! >= last, `${written} of ${last}`)
})

t.test('a lock left by a restarted machine or container is taken over', async t => {
  const url = await embeddedUrl(t)
  const folder = url.slice('embedded:'.length)
  const lock = join(folder, 'lock')
  for (const left of [
    JSON.stringify({ pid: process.pid, startedAt: 'another boot/1', id: 'x' }),
    JSON.stringify({ pid: 2 ** 22 + 1, startedAt: null, id: 'y' })
  ]) {
    await writeFile(lock, left)
    const release = await lockFolder(folder)
    t.match(JSON.parse(await readFile(lock, 'utf8')), { pid: process.pid, id: /.{36}/ })
    await release()
    await t.rejects(readFile(lock), { code: 'ENOENT' })
  }
  await writeFile(lock, 'half')
  const store = newStore(url)
  await store.start()
  await store.stop()
})

/** Shared, because opening one takes two seconds of processor time. */
const store = newStore('embedded:') as SqlStore
await store.start()
t.teardown(() => store.stop())

t.test('a request is handled before queued background work', async t => {
  let worked = 0
  const work = Array.from({ length: 300 }, () => store.pool.query('SELECT 1', []).then(() => { worked++ }))
  await store.ping()
  t.ok(worked < 50, `${worked} statements of work ran before it`)
  await Promise.all(work)
  t.equal(worked, 300)
})

t.test('a flood of requests does not stop background work', async t => {
  let requested = 0
  const requests = Array.from({ length: 300 }, () => store.requestPool.query('SELECT 1', []).then(() => { requested++ }))
  await store.pool.query('SELECT 1', [])
  t.ok(requested < 50, `${requested} requests ran before it`)
  await Promise.all(requests)
})

t.test('a folder whose creation was interrupted is created again', async t => {
  const url = await newEmbeddedUrl(t)
  const data = join(url.slice('embedded:'.length), 'data')
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'PG_VERSION'), '18')
  const store = newStore(url)
  await store.start()
  t.ok(await store.ping() >= 0)
  await store.stop()
})

t.test('a folder with missing or damaged files is refused, and nothing in it is replaced', async t => {
  const url = await embeddedUrl(t)
  const store = newStore(url, 'damaged')
  await store.start()
  await store.documents.increment('writes', 'all', 7)
  await store.stop()
  const version = join(url.slice('embedded:'.length), 'data', 'PG_VERSION')
  await rename(version, `${version}.away`)
  await t.rejects(newStore(url, 'damaged').start(), { code: 'STORE_UNREACHABLE', message: /files are damaged or incomplete; restore them/ })
  await rename(`${version}.away`, version)
  const control = join(url.slice('embedded:'.length), 'data', 'global', 'pg_control')
  const intact = await readFile(control)
  for (const damaged of [Buffer.alloc(intact.length, 0xab), Buffer.alloc(0)]) {
    await writeFile(control, damaged)
    await t.rejects(newStore(url, 'damaged').start(), {
      code: 'STORE_UNREACHABLE', message: /files cannot be opened\. If the disk is not full.*they are damaged: restore them from a backup/
    })
  }
  await writeFile(control, intact)
  const restored = newStore(url, 'damaged')
  t.teardown(() => restored.stop())
  await restored.start()
  t.same(await restored.documents.counters('writes', ['all']), [7])
})

t.test('timers fire while statements queue up', async t => {
  let ticks = 0
  const timer = setInterval(() => { ticks++ }, 1)
  const start = Date.now()
  await Promise.all(Array.from({ length: 2_000 }, () => store.pool.query('SELECT $1::int', [1])))
  clearInterval(timer)
  t.ok(ticks > (Date.now() - start) / 100, `${ticks} ticks in ${Date.now() - start} ms`)
})

t.test('vacuuming runs by itself and loses nothing', async t => {
  // Every statement counts, so most are cheap ones.
  await Promise.all(Array.from({ length: 16_000 }, (_, index) => store.pool.query(index % 8 === 0
    ? `INSERT INTO ${store.schema}.leases VALUES ('a', 'b', now()) ON CONFLICT (name) DO UPDATE SET holder = excluded.holder`
    : 'SELECT 1')))
  const { rows } = await store.query<{ vacuumed: boolean }>(
    'SELECT count(*) > 0 AS vacuumed FROM pg_stat_user_tables WHERE vacuum_count > 0'
  )
  t.same(rows, [{ vacuumed: true }])
})

function runProcess(url: string): { child: ReturnType<typeof start>; output: () => string } {
  const child = start(url)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => { output += text })
  return { child, output: () => output }
}

function start(url: string) {
  return spawn(
    process.execPath, [...LOADER, fileURLToPath(new URL('./embedded-process.ts', import.meta.url)), url],
    { env: { ...process.env, NODE_OPTIONS: '' } , stdio: ['ignore', 'pipe', 'pipe'] }
  )
}
