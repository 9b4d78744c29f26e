import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeLoads } from '../../scripts/measured-loads.ts'

t.test('the measurements of a run become the list of long files, longest first, without packs and short files', async t => {
  const path = join(t.testdir({}), 'loads.json')
  await writeLoads([
    { file: 'test/a.test.ts', seconds: 10.4, processorSeconds: 1 },
    { file: 'test/browser/b.test.ts', seconds: 20, processorSeconds: 4 },
    { file: 'test/short.test.ts', seconds: 3.9, processorSeconds: 3 },
    { file: 'test/pack-1.test.ts', seconds: 30, processorSeconds: 3 },
    { file: 'test/busy.test.ts', seconds: 5, processorSeconds: 12 }
  ], path)
  t.same(JSON.parse(await readFile(path, 'utf8')), {
    'test/browser/b.test.ts': [20, 0.84], 'test/a.test.ts': [10, 0.11], 'test/busy.test.ts': [5, 1]
  })
  t.match(await readFile(path, 'utf8'), /^\{\n {2}"test\/browser\/b\.test\.ts": \[20, 0\.84\],\n/)
})
