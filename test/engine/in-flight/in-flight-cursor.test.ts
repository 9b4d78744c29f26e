import t from 'tap'
import {
  anchorOf, decodeCursor, encodeCursor, MAX_ENGINE_CURSOR_LENGTH, shortKey, sourceKey
} from '../../../lib/engine/in-flight/in-flight-cursor.ts'
import { START } from '../../../lib/engine/in-flight/in-flight-progress.ts'
import { createCombinedInFlight } from '../../../lib/queue-app/combining/combined-in-flight.ts'
import type { Engine } from '../../../lib/engine/engine.ts'
import { encodeExecutionCursor } from '../../../lib/queue-app/monitoring/executions/execution-cursor.ts'
import { behind } from '../../../lib/queue-app/monitoring/executions/execution-sources.ts'
import { MAX_KEY_LENGTH } from '../../../schemas/limits.ts'
import { MAX_CURSOR_LENGTH } from '../../../schemas/page.ts'

t.test('a cursor decodes to the position it was made from', async t => {
  const offsets = new Map([1, 127, 128, 100_000, 2 ** 31].flatMap(offset =>
    (['waiting', 'waiting-children'] as const).map(state => [sourceKey(`queue ${offset}`, state), offset])))
  const anchors = new Map([...offsets.keys()].slice(1).map(key => [key, anchorOf(key)]))
  for (const position of [
    {
      offsets, anchors, reached: { at: 1_795_311_018_978, id: 'repeat:日報:1795311018978' }, isCut: false,
      lost: new Set([shortKey('redis://a')]), differMs: 5_001
    },
    { ...START, reached: { at: 0, id: '' }, isCut: true, differMs: 1 },
    { ...START, lost: new Set([shortKey('redis://a'), shortKey('redis://b')]), differMs: 60_000 }
  ]) t.same(decodeCursor(encodeCursor(position)), position)
})

t.test('a cursor with too many sources keeps those that time does not determine and the furthest, and fits the API cursor', async t => {
  for (const offset of [1, 100, 20_000, 2 ** 31 - 2_000]) {
    const sources = Array.from({ length: 2_000 }, (_, index) =>
      [sourceKey(`queue ${index}`, index % 2 === 0 ? 'waiting' : 'delayed'), offset + index] as const)
    const cursor = encodeCursor({ ...NOWHERE, offsets: new Map(sources) })
    const read = decodeCursor(cursor)
    t.equal(read.isCut, true)
    t.ok(read.offsets.size >= 240, `${read.offsets.size} sources`)
    const kept = [...read.offsets.values()].toSorted((one, other) => one - other)
    t.same(kept, sources.filter((_, index) => index % 2 === 1).slice(-read.offsets.size).map(([, each]) => each))
    t.ok(inApi(cursor).length <= MAX_CURSOR_LENGTH)
    t.equal(decodeCursor(encodeCursor({ ...read, isCut: false })).isCut, false, 'the cut position fits')
  }
  for (const [states, queues] of [[['waiting'], 420], [['waiting', 'delayed', 'prioritized'], 320]] as const) {
    const names = Array.from({ length: queues }, (_, index) => `queue ${index}`)
    const small = new Map(names.flatMap(name => states.map((state, index) => [sourceKey(name, state), 1 + 60 * index])))
    t.same(decodeCursor(encodeCursor({ ...NOWHERE, offsets: small })), { ...NOWHERE, offsets: small }, `${queues} queues`)
  }
  const many = new Map(Array.from({ length: 400 }, (_, index) => [sourceKey(`queue ${index}`, 'waiting'), 100]))
  const anchors = new Map([...many.keys()].map(key => [key, anchorOf(key)]))
  t.same(decodeCursor(encodeCursor({ ...NOWHERE, offsets: many, anchors })), { ...NOWHERE, offsets: many }, 'anchors are dropped first')
  const servers = new Set(Array.from({ length: 200 }, (_, index) => shortKey(`redis://${index}`)))
  const { isCut, lost } = decodeCursor(encodeCursor({ ...NOWHERE, lost: servers }))
  t.same([isCut, lost.size], [true, 50], 'with too many unavailable servers the position counts as cut')
})

t.test('the cursors of own tasks and of existing queues fit together into one API cursor', async t => {
  const query = { taskNames: ['ours', 'theirs'], order: 'newest', limit: 50 } as const
  for (const [own, theirs, ownKept, theirsKept] of [
    [2_000, 2_000, 180, 180], [5, 2_000, 5, 370], [2_000, 5, 370, 5], [100, 100, 100, 100]
  ] as const) {
    const inFlight = createCombinedInFlight(engineWith(own), engineWith(theirs), name => name === 'theirs')
    const { next } = await inFlight(query)
    t.ok(inApi(next!).length <= MAX_CURSOR_LENGTH)
    t.ok(next!.length <= MAX_ENGINE_CURSOR_LENGTH)
    const kept = next!.split('.').map(cursor => decodeCursor(cursor).offsets.size)
    t.ok(kept[0]! >= ownKept && kept[1]! >= theirsKept, `${own} and ${theirs}: ${kept.join(' and ')} kept`)
    await t.resolves(inFlight({ ...query, cursor: next! }))
    for (const cursor of ['', '.', 'AwA', `${next!}.0`, '0.0.0', '[0,0]'])
      await t.rejects(inFlight({ ...query, cursor }), { code: 'INVALID_CURSOR' }, cursor)
  }
})

const NOWHERE = { ...START, reached: { at: Date.now(), id: '報'.repeat(100) } }

function engineWith(count: number): Pick<Engine, 'inFlight'> {
  const offsets = new Map(Array.from({ length: count }, (_, index) => [sourceKey(`queue ${index}`, 'delayed'), 100]))
  return {
    async inFlight({ cursor }) {
      if (cursor !== undefined) decodeCursor(cursor)
      const next = encodeCursor({ ...NOWHERE, offsets })
      return { executions: [], next, after: () => next, held: 0, scanned: 0, skipped: 0 }
    }
  }
}

/** The API cursor that also has a position in the history, with an id of the greatest length. */
function inApi(cursor: string): string {
  return encodeExecutionCursor({
    asOf: Date.now(),
    positions: { inFlight: behind(cursor), finished: behind({ finishedAt: Date.now(), executionId: '報'.repeat(MAX_KEY_LENGTH) }) }
  })
}

t.test('an invalid cursor is refused', async t => {
  for (const cursor of ['', '=', '\0', 'Ag', Buffer.from([1, 1, 2, 3]).toString('base64url'), Buffer.from(
    [4, 0, ...Array<number>(30).fill(255)]
  ).toString('base64url'),
  // A list of servers with the greatest length that a number can express.
  Buffer.from([4, 0, ...Array<number>(9).fill(0), 255, 255, 255, 255, 127]).toString('base64url'),
  Buffer.from([4, 0, ...Array<number>(11).fill(0), 1, 2, 3]).toString('base64url')]) {
    t.throws(() => decodeCursor(cursor), { code: 'INVALID_CURSOR' }, cursor)
  }
})
