import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { oncePerRun } from './once-per-run.ts'
import { setVariable } from './set-variable.ts'

const shared = await mkdtemp(join(tmpdir(), 'tasks-once-'))
const putBack = setVariable('TASKS_TEST_SHARED', shared)
t.teardown(async () => {
  putBack()
  await rm(shared, { recursive: true, force: true })
})

t.test('a folder shared by a run is filled once, before anybody gets it', async t => {
  let made = 0
  const get = () => oncePerRun('shared', async folder => {
    made++
    await new Promise(setImmediate)
    await writeFile(join(folder, 'whole'), 'yes')
  })
  const folders = await Promise.all([get(), get(), get()])
  t.same(folders, Array.from({ length: 3 }, () => join(shared, 'shared')))
  t.equal(await readFile(join(folders[2], 'whole'), 'utf8'), 'yes')
  t.equal(made, 1)
})

t.test('a folder that cannot be filled fails every file that asks for it', async t => {
  const get = () => oncePerRun('broken', async () => { throw new Error('no disk') })
  // The file system decides which of them is first.
  const messages = await Promise.all([get(), get()].map(each => each.catch((error: Error) => error.message)))
  t.match(messages.toSorted(), [/^broken could not be made: another file of this run says why$/, /^no disk$/])
})
