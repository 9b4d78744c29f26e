import t from 'tap'
import { shareCores, type Machine } from '../../scripts/share-cores.ts'
import { waitFor } from '../support/wait-for.ts'

/** Runs jobs that end on request. @returns what started, in order, and a function to end a job */
function start(
  cores: number, needs: Readonly<Record<string, number>>,
  { stopped, hasSpare = () => true, isIdle = () => false }: { stopped?: AbortSignal } & Partial<Machine> = {}
) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const done = shareCores(Object.entries(needs).map(([name, needed]) => ({
    cores: needed,
    run: () => new Promise<void>(resolve => {
      started.push(name)
      ends.set(name, resolve)
    })
  })), cores, stopped, { hasSpare, isIdle })
  return {
    started,
    done,
    async end(name: string): Promise<void> {
      ends.get(name)!()
      await new Promise(setImmediate)
    }
  }
}

t.test('jobs start in order, as many as there are cores', async t => {
  const { started, done, end } = start(2, { a: 1, b: 1, c: 1, d: 1 })
  t.same(started, ['a', 'b'])
  await end('b')
  t.same(started, ['a', 'b', 'c'])
  await end('a')
  await end('c')
  await end('d')
  await done
})

t.test('a job that mostly waits runs alongside others, and ahead of a job that does not fit yet', async t => {
  const { started, done, end } = start(2, { a: 1, heavy: 2, b: 1, waits: 0.4, alsoWaits: 0.4, third: 0.45 })
  t.same(started, ['a', 'waits', 'alsoWaits'], 'not b, or the heavy job would wait forever')
  await end('a')
  await end('waits')
  t.same(started, ['a', 'waits', 'alsoWaits', 'third'])
  await end('alsoWaits')
  await end('third')
  t.equal(started.at(-1), 'heavy')
  await end('heavy')
  await end('b')
  await done
})

t.test('a job that needs a core runs beside jobs that mostly wait, and ahead of further ones', async t => {
  const { started, done, end } = start(2, { a: 0.1, b: 0.1, c: 0.1, works: 0.9, worksToo: 0.9, d: 0.1 })
  t.same(started, ['a', 'b', 'works', 'c', 'd'])
  await end('works')
  t.equal(started.at(-1), 'worksToo')
  for (const name of ['a', 'b', 'c', 'd', 'worksToo']) await end(name)
  await done
})

t.test('each core is assigned only once, so that calls to datastores keep their deadlines', async t => {
  const { started, done, end } = start(2, { a: 0.8, b: 0.8, c: 0.6 })
  t.same(started, ['a', 'b'])
  await end('a')
  t.same(started, ['a', 'b', 'c'])
  for (const name of ['b', 'c']) await end(name)
  await done
})

t.test('while the machine has no processor time to spare, no more jobs run than there are cores', async t => {
  let hasSpare = false
  const { started, done, end } = start(2, { a: 0.1, b: 0.1, c: 0.1, d: 0.1, e: 0.1 }, { hasSpare: () => hasSpare })
  t.same(started, ['a', 'b'])
  await end('a')
  t.same(started, ['a', 'b', 'c'], 'one starts for each that ends')
  hasSpare = true
  await waitFor('the others to start, though none has ended', async () => started.length === 5)
  for (const name of ['b', 'c', 'd', 'e']) await end(name)
  await done
})

t.test('nothing runs beside a job that needs all cores', async t => {
  const { started, done, end } = start(2, { heavy: 2, a: 0.1 })
  t.same(started, ['heavy'])
  await end('heavy')
  t.same(started, ['heavy', 'a'])
  await end('a')
  await done
})

t.test('on one core, one job runs at a time', async t => {
  const { started, done, end } = start(1, { a: 0.1, b: 0.1 })
  t.same(started, ['a'])
  await end('a')
  await end('b')
  await done
})

t.test('at most three jobs per core run at once, and one of them is a job that mostly waits, while there is one', async t => {
  const names = Array.from({ length: 12 }, (_, index) => `waits-${index}`)
  const { started, done, end } = start(2, { a: 0.6, b: 0.6, ...Object.fromEntries(names.map(name => [name, 0.05])) })
  t.same(started, ['a', 'waits-0', 'b', ...names.slice(1, 4)], 'six, though their cores leave room')
  await end('a')
  t.same(started.slice(6), ['waits-4'])
  await end('waits-0')
  t.same(started.slice(7), ['waits-5'])
  for (const name of ['b', ...names.slice(1)]) await end(name)
  await done
})

t.test('while the cores are idle, up to five jobs per core run at once, and those beyond three mostly wait', async t => {
  const names = Array.from({ length: 12 }, (_, index) => `waits-${index}`)
  let isIdle = false
  const needs = { works: 0.9, worksToo: 0.9, ...Object.fromEntries(names.map(name => [name, 0.05])) }
  const { started, done, end } = start(2, needs, { isIdle: () => isIdle })
  t.equal(started.length, 6)
  isIdle = true
  await waitFor('four more to start, though none has ended', async () => started.length === 10)
  isIdle = false
  await end('works')
  t.equal(started.length, 10, 'none starts for one that ends')
  for (const name of names.slice(0, 4)) await end(name)
  t.equal(started.length, 11)
  for (const name of ['worksToo', ...names.slice(4)]) await end(name)
  await done
})

t.test('idle cores start no job that works, and none beside a job that needs all of them', async t => {
  const { started, done, end } = start(2, { a: 0.9, b: 0.9, works: 0.9 }, { isIdle: () => true })
  const alone = start(2, { all: 2, a: 0.1 }, { isIdle: () => true })
  await new Promise(resolve => { setTimeout(resolve, 500) })
  t.same([started, alone.started], [['a', 'b'], ['all']])
  for (const name of ['a', 'b', 'works']) await end(name)
  for (const name of ['all', 'a']) await alone.end(name)
  await Promise.all([done, alone.done])
})

t.test('a job that does not fit yet is overtaken by others if it needs at most one core', async t => {
  const { started, done, end } = start(2, { a: 1, b: 0.7, c: 0.9, d: 0.2 })
  t.same(started, ['a', 'd', 'b'])
  await end('a')
  t.same(started, ['a', 'd', 'b', 'c'])
  for (const name of ['b', 'c', 'd']) await end(name)
  await done
})

t.test('a job that waits for another starts when that has ended, and takes no core until then', async t => {
  const started: string[] = []
  let isBuilt = false
  let finish = (): void => {}
  const job = (name: string, more: object = {}) => ({ cores: 1, run: async () => { started.push(name) }, ...more })
  const build = job('build', { run: () => new Promise<void>(resolve => { finish = () => { isBuilt = true; resolve() } }) })
  const done = shareCores([build, job('needs it', { isReady: () => isBuilt }), job('a'), job('b')], 2)
  await new Promise(setImmediate)
  t.same(started, ['a', 'b'])
  finish()
  await done
  t.same(started, ['a', 'b', 'needs it'])
})

t.test('a job that needs more cores than there are runs alone', async t => {
  const { started, done, end } = start(1, { a: 1, heavy: 4, b: 1 })
  t.same(started, ['a'])
  await end('a')
  t.same(started, ['a', 'heavy'])
  await end('heavy')
  t.same(started, ['a', 'heavy', 'b'])
  await end('b')
  await done
})

t.test('after a stop, the running jobs finish and no other begins', async t => {
  const stop = new AbortController()
  const { started, done, end } = start(1, { a: 1, b: 1, c: 1 }, { stopped: stop.signal })
  stop.abort()
  await end('a')
  await done
  t.same(started, ['a'])
})

t.test('a job that throws ends the run', async t => {
  await t.rejects(shareCores([{ cores: 1, run: () => Promise.reject(new Error('defect')) }], 1), { message: 'defect' })
})
