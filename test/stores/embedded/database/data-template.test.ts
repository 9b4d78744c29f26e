import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import type { SqlStore } from '../../../../lib/stores/store.ts'
import { newStore } from '../../../contracts/store.ts'
import { setVariable } from '../../../support/set-variable.ts'
import { isSoak } from '../../../support/soak.ts'

const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
const { version } = JSON.parse(await readFile(join(pglite, '..', 'package.json'), 'utf8')) as { version: string }

t.beforeEach(async t => {
  const cache = await mkdtemp(join(tmpdir(), 'tasks-cache-'))
  const putBack = setVariable('XDG_CACHE_HOME', cache)
  t.context = cache
  t.teardown(async () => {
    putBack()
    await rm(cache, { recursive: true, force: true })
  })
})

t.test('a damaged template is replaced by one with a single database, and a second store opens from the new one', async t => {
  const folder = join(t.context as string, 'fastify-task-dashboard')
  const template = join(folder, `empty-${version}.tar.gz`)
  await mkdir(folder, { recursive: true })
  await writeFile(template, 'not packed')
  t.strictSame(await databases(), [{ own: true }])
  t.same(await readdir(folder), [`empty-${version}.tar.gz`], 'and no draft is left')
  const made = await readFile(template)
  t.ok(made.length > 100_000, `${made.length} bytes`)
  t.strictSame(await databases(), [{ own: true }])
  t.ok(made.equals(await readFile(template)), 'it is not made again')
})

// Only in the soak, because it creates the database once more.
if (isSoak) {
  t.test('a store opens even if no template can be kept', async t => {
    await writeFile(join(t.context as string, 'fastify-task-dashboard'), 'a file where the folder should be')
    t.strictSame(await databases(), [{ own: true }])
  })
}

/** The databases of a new store in memory. An unused database would cost every store 7 MB. */
async function databases(): Promise<unknown[]> {
  const store = newStore('embedded:') as SqlStore
  await store.start()
  try {
    return (await store.query('SELECT datname = current_database() AS own FROM pg_database')).rows
  } finally {
    await store.stop()
  }
}
