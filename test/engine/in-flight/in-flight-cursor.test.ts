import t from 'tap'
import { decodeCursor, encodeCursor, MAX_ENGINE_CURSOR_LENGTH, sourceKey } from '../../../lib/engine/in-flight/in-flight-cursor.ts'
import { createCombinedInFlight } from '../../../lib/queue-app/combining/combined-in-flight.ts'
import type { Engine } from '../../../lib/engine/engine.ts'
import { encodeExecutionCursor } from '../../../lib/queue-app/monitoring/executions/execution-cursor.ts'
import { behind } from '../../../lib/queue-app/monitoring/executions/execution-sources.ts'
import { MAX_KEY_LENGTH } from '../../../schemas/limits.ts'
import { MAX_CURSOR_LENGTH } from '../../../schemas/page.ts'

t.test('a cursor decodes to the position it was made from', async t => {
  const offsets = new Map([1, 127, 128, 100_000, 2 ** 31].map(offset => [sourceKey(`queue ${offset}`, 'waiting'), offset]))
  for (const position of [
    { offsets, reached: { at: 1_795_311_018_978, id: 'repeat:日報:1795311018978' }, isCut: false },
    { offsets: new Map(), reached: { at: 0, id: '' }, isCut: true },
    { offsets: new Map(), reached: null, isCut: false }
  ]) t.same(decodeCursor(encodeCursor(position)), position)
})

t.test('a cursor of too many sources keeps those that are furthest, says so, and fits into a cursor of the API', async t => {
  for (const offset of [1, 100, 20_000, 2 ** 31 - 2_000]) {
    const offsets = new Map(Array.from({ length: 2_000 }, (_, index) => [sourceKey(`queue ${index}`, 'delayed'), offset + index]))
    const cursor = encodeCursor({ offsets, reached: { at: Date.now(), id: '報'.repeat(100) }, isCut: false })
    const read = decodeCursor(cursor)
    t.equal(read.isCut, true)
    t.ok(read.offsets.size >= 250, `${read.offsets.size} sources`)
    t.equal(Math.min(...read.offsets.values()), offset + 2_000 - read.offsets.size, 'the furthest')
    t.ok(inApi(cursor).length <= MAX_CURSOR_LENGTH)
    t.equal(decodeCursor(encodeCursor({ ...read, isCut: false })).isCut, false, 'what was cut fits')
  }
})

t.test('the cursors of own tasks and of existing queues fit into one of the API together', async t => {
  const offsets = new Map(Array.from({ length: 2_000 }, (_, index) => [sourceKey(`queue ${index}`, 'delayed'), 20_000 + index]))
  const engine: Pick<Engine, 'inFlight'> = {
    async inFlight({ cursor, maxCursorLength }) {
      if (cursor !== undefined) t.ok(decodeCursor(cursor).offsets.size > 100)
      const next = encodeCursor({ offsets, reached: { at: Date.now(), id: '報'.repeat(100) }, isCut: false }, maxCursorLength)
      return { executions: [], next, after: () => next, held: 0, scanned: 0, skipped: 0 }
    }
  }
  const inFlight = createCombinedInFlight(engine, engine, name => name === 'theirs')
  const query = { taskNames: ['ours', 'theirs'], order: 'newest', limit: 50 } as const
  const { next } = await inFlight(query)
  t.ok(inApi(next!).length <= MAX_CURSOR_LENGTH)
  t.ok(next!.length <= MAX_ENGINE_CURSOR_LENGTH)
  await t.resolves(inFlight({ ...query, cursor: next! }))
  for (const cursor of ['', '.', 'AwA', `${next!}.0`, '0.0.0', '[0,0]'])
    await t.rejects(inFlight({ ...query, cursor }), { code: 'INVALID_CURSOR' }, cursor)
})

/** Beside a position in the history whose id is as long as they get. */
function inApi(cursor: string): string {
  return encodeExecutionCursor({
    asOf: Date.now(),
    positions: { inFlight: behind(cursor), finished: behind({ finishedAt: Date.now(), executionId: '報'.repeat(MAX_KEY_LENGTH) }) }
  })
}

t.test('an invalid cursor is refused', async t => {
  for (const cursor of ['', '=', '\0', 'Ag', Buffer.from([1, 1, 2, 3]).toString('base64url'), Buffer.from(
    [3, 0, ...Array<number>(30).fill(255)]
  ).toString('base64url'),
  Buffer.from([3, 0, ...Array<number>(9).fill(0), 1, 2, 3]).toString('base64url')]) {
    t.throws(() => decodeCursor(cursor), { code: 'INVALID_CURSOR' }, cursor)
  }
})
