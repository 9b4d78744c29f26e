import { spawnSync } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
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

t.test('a folder in memory in which programs may not run is not used, and nothing is left in it', async t => {
  const inMemory = t.testdir()
  const folder = await createTemporaryFolder(null, inMemory, async () => false)
  t.equal(dirname(folder), tmpdir())
  t.same(await readdir(inMemory), [])
})

t.test('the folder of a run that was killed is removed, and no other one', async t => {
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  const chosen = t.testdir({
    'tasks-tests-dead': { writer: `${dead} ${hostname()}`, data: { file: 'left' } },
    'tasks-tests-alive': { writer: `${process.pid} ${hostname()}` },
    'tasks-tests-elsewhere': { writer: `${dead} another-machine` },
    'tasks-tests-odd': { writer: 'x' },
    'tasks-tests-empty': {},
    'others': { writer: `${dead} ${hostname()}` }
  })
  const own = basename(await createTemporaryFolder(chosen))
  const kept = ['others', 'tasks-tests-alive', 'tasks-tests-elsewhere', 'tasks-tests-empty', 'tasks-tests-odd']
  t.same((await readdir(chosen)).toSorted(), [...kept, own].toSorted())
  await createTemporaryFolder(chosen)
  t.ok((await readdir(chosen)).includes(own), 'nor the folder of a run at the same time')
})
