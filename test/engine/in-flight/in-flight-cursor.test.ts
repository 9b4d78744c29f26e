import t from 'tap'
import { CURSOR_SOURCES, decodeCursor, encodeCursor, sourceKey } from '../../../lib/engine/in-flight/in-flight-cursor.ts'
import { toCursor } from '../../../lib/input/cursor.ts'
import { MAX_CURSOR_LENGTH } from '../../../schemas/page.ts'

t.test('a cursor decodes to the position it was made from', async t => {
  const offsets = new Map([1, 127, 128, 100_000, 2 ** 31].map(offset => [sourceKey(`queue ${offset}`, 'waiting'), offset]))
  for (const position of [
    { offsets, reached: { at: 1_795_311_018_978, executionId: 'repeat:日報:1795311018978' }, isCut: false },
    { offsets: new Map(), reached: { at: 0, executionId: '' }, isCut: true },
    { offsets: new Map(), reached: null, isCut: false }
  ]) t.same(decodeCursor(encodeCursor(position)), position)
})

t.test('a cursor with the most sources it can hold is readable and fits into a cursor of the API', async t => {
  const offsets = new Map(Array.from({ length: CURSOR_SOURCES }, (_, index) => [sourceKey(`queue ${index}`, 'delayed'), 1_000]))
  const cursor = encodeCursor({ offsets, reached: { at: Date.now(), executionId: 'x'.repeat(300) }, isCut: true })
  t.equal(decodeCursor(cursor).offsets.size, CURSOR_SOURCES)
  t.ok(toCursor([Date.now(), cursor, [Date.now(), 'x'.repeat(300)]]).length <= MAX_CURSOR_LENGTH)
})

t.test('an invalid cursor is refused', async t => {
  for (const cursor of ['', '=', '\0', 'Ag', Buffer.from([1, 1, 2, 3]).toString('base64url'), Buffer.from(
    [3, 0, ...Array<number>(30).fill(255)]
  ).toString('base64url'),
  Buffer.from([3, 0, ...Array<number>(9).fill(0), 1, 2, 3]).toString('base64url')]) {
    t.throws(() => decodeCursor(cursor), { code: 'INVALID_CURSOR' }, cursor)
  }
})
