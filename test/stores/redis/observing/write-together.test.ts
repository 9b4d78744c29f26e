import { Writable } from 'node:stream'
import t from 'tap'
import { writeTogether } from '../../../../lib/stores/redis/observing/write-together.ts'

function createStream() {
  const writes: string[][] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) { writes.push([chunk]); done() },
    writev(chunks: Array<{ chunk: string }>, done) { writes.push(chunks.map(({ chunk }) => chunk)); done() }
  })
  return { stream, writes }
}

t.test('commands of one turn of the event loop are sent in one write, in their order', async t => {
  const { stream, writes } = createStream()
  for (const command of ['a', 'b', 'c']) {
    writeTogether(stream)
    stream.write(command)
  }
  t.strictSame(writes, [])
  await new Promise(resolve => { setImmediate(resolve) })
  t.strictSame(writes, [['a', 'b', 'c']])
  writeTogether(stream)
  stream.write('d')
  await new Promise(resolve => { setImmediate(resolve) })
  t.strictSame(writes.at(-1), ['d'], 'the next turn has its own write')
})

t.test('a stream that ends during the write, or does not exist yet, causes no error', async t => {
  const { stream } = createStream()
  stream.on('error', () => {})
  writeTogether(stream)
  stream.destroy()
  writeTogether(undefined)
  await new Promise(resolve => { setImmediate(resolve) })
  t.equal(stream.destroyed, true)
})
