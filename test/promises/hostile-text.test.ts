import t from 'tap'
import { hostileShapes, leastCpuMs, LIMIT_MS } from './hostile-shapes.ts'
import { TEXT_READERS } from './text-readers.ts'

const SHAPES = hostileShapes(1_000_000)

t.test('no text reader takes more than 50 ms for a million characters of any shape', t => {
  for (const [name, read] of Object.entries(TEXT_READERS)) {
    const slow = SHAPES.map(([shape, text]) => [shape, leastCpuMs(() => read(text))] as const).filter(([, ms]) => ms >= LIMIT_MS)
    t.strictSame(slow, [], name)
  }
  t.end()
})

t.test('work that is worse than linear is detected', t => {
  // 5,000 characters took 18.5 ms on a fast machine, so 16,000 take about 190 ms there.
  // oxlint-disable-next-line regexp/no-super-linear-move -- meant to be slow
  const quadratic = /x+y/
  t.ok(leastCpuMs(() => quadratic.test('x'.repeat(16_000))) >= LIMIT_MS)
  t.end()
})
