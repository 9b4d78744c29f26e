import t from 'tap'
import { decodeCursor, encodeCursor, sourceKey } from '../../lib/engine/in-flight-cursor.ts'

t.test('a cursor gives the offsets back and stays short', async t => {
  const offsets = new Map([0, 1, 127, 128, 100_000, 2 ** 31].map(offset => [sourceKey(`queue ${offset}`, 'waiting'), offset]))
  const used = new Map([...offsets].filter(([, offset]) => offset > 0))
  t.same(decodeCursor(encodeCursor(offsets)), used)
  const many = new Map(Array.from({ length: 380 }, (_, index) => [sourceKey(`queue ${index}`, 'delayed'), 1_000]))
  t.ok(encodeCursor(many).length <= 4_096)
  t.throws(() => encodeCursor(new Map(Array.from({ length: 900 }, (_, index) => [sourceKey(`${index}`, 'x'), 1_000]))), { code: 'INVALID_INPUT' })
})

t.test('what is not a cursor is refused', async t => {
  for (const cursor of ['', '=', '\0', 'Ag', Buffer.from([1, 1, 2, 3]).toString('base64url'), Buffer.from([1, ...Array<number>(30).fill(255)]).toString('base64url')]) {
    t.throws(() => decodeCursor(cursor), { code: 'INVALID_CURSOR' }, cursor)
  }
})
