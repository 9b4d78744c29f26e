import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { createTemporaryFolder } from '../../scripts/temporary-folder.ts'

t.test('a chosen folder wins, and every user may read what is in it', async t => {
  const chosen = t.testdir()
  const folder = await createTemporaryFolder(chosen)
  t.equal(dirname(folder), chosen)
  t.equal((await stat(folder)).mode & 0o777, 0o755)
})

t.test('a folder in memory that is missing or full is not used', async t => {
  const full = '/proc'
  for (const inMemory of [join(t.testdir(), 'missing'), full]) {
    t.equal(dirname(await createTemporaryFolder(null, inMemory)), tmpdir())
  }
})

t.test('a folder in memory whose programs may not run is not used, and nothing is left in it', async t => {
  const inMemory = t.testdir()
  const folder = await createTemporaryFolder(null, inMemory, async () => false)
  t.equal(dirname(folder), tmpdir())
  t.same(await readdir(inMemory), [])
})
