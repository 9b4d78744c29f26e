import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createFairReads } from '../../../../lib/engine/observing/postgres/fair-reads.ts'
import { DeadlineError } from '../../../../lib/time/deadline.ts'

interface Sent { readonly text: string; answer(): void; fail(error?: Error): void }

/** A database whose statements end when a test says so. */
function createDatabase() {
  const sent: Sent[] = []
  const reads = createFairReads(<Row extends object>(text: string) => new Promise<Row[]>((resolve, reject) => {
    const end = (): void => { sent.splice(sent.findIndex(each => each.text === text), 1) }
    sent.push({
      text,
      answer() { end(); resolve([]) },
      fail(error = new DeadlineError('locked')) { end(); reject(error) }
    })
  }))
  return {
    reads,
    read(schema: string, ...numbers: number[]): void {
      for (const each of numbers) reads.of(schema)(`${schema}${each}`).catch(() => {})
    },
    /** The statements that run now. */
    async running(): Promise<string> {
      await nextTurn()
      await nextTurn()
      return sent.map(({ text }) => text).join(' ')
    },
    end(text: string, ended: 'answer' | 'fail' = 'answer') { sent.find(each => each.text === text)![ended]() }
  }
}

t.test('a single schema has no limits', async t => {
  const { read, running } = createDatabase()
  read('a', 1, 2, 3, 4, 5)
  t.equal(await running(), 'a1 a2 a3 a4 a5')
})

t.test('schemas take turns, and one of several does not get all connections', async t => {
  const { reads, read, running, end } = createDatabase()
  reads.of('b')
  read('a', 1, 2, 3, 4)
  t.equal(await running(), 'a1 a2 a3')
  read('b', 1, 2)
  t.equal(await running(), 'a1 a2 a3 b1')
  end('a1')
  t.equal(await running(), 'a2 a3 b1 b2', 'the other schema has fewer')
})

t.test('schemas that do not respond get one statement each and two together, and the others get the rest', async t => {
  const { reads, read, running, end } = createDatabase()
  const locked = ['a', 'b', 'c', 'd']
  for (const schema of [...locked, 'well']) reads.of(schema)
  for (const number of [1, 2, 3]) for (const schema of [...locked, 'well']) read(schema, number)
  t.equal(await running(), 'a1 b1 c1 d1')
  for (const schema of locked) end(`${schema}1`, 'fail')
  t.equal(await running(), 'well1 a2 b2 well2')
  end('well1')
  t.equal(await running(), 'a2 b2 well2 well3')
  end('well2')
  t.equal(await running(), 'a2 b2 well3', 'the rest stays free')
  end('a2', 'fail')
  t.equal(await running(), 'b2 well3 c2', 'they take turns')
})

t.test('a schema that does not respond keeps its limit for two seconds, although one of its tables responds', async t => {
  const { reads, read, running, end } = createDatabase()
  for (const schema of ['a', 'b']) reads.of(schema)
  read('a', 1)
  await running()
  end('a1', 'fail')
  await running()
  read('a', 2, 3)
  t.equal(await running(), 'a2')
  end('a2')
  read('a', 4)
  t.equal(await running(), 'a3')
})

t.test('a read that waits too long is rejected, and is never sent', async t => {
  const { reads, read, running, end } = createDatabase()
  reads.of('b')
  read('a', 1, 2, 3)
  await t.rejects(reads.of('a')('late'), { name: 'DeadlineError' })
  for (const each of ['a1', 'a2', 'a3']) end(each)
  t.equal(await running(), '')
})

t.test('a schema that is not used any more is forgotten', async t => {
  const { reads, read, running } = createDatabase()
  reads.of('b')
  reads.forget(schema => schema === 'a')
  read('a', 1, 2, 3, 4)
  t.equal(await running(), 'a1 a2 a3 a4')
})
