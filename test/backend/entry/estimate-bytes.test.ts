import t from 'tap'
import { estimateBytes } from '../../../lib/backend/entry/estimate-bytes.ts'
import { makeExecution } from '../make-execution.ts'

const bytesOf = (value: unknown): number => estimateBytes(makeExecution({ args: [value] })) - estimateBytes(makeExecution({ args: [null] }))

// heapBytes: what Node 20 allocates for each value, measured with `v8.getHeapStatistics()` before and after creating 20,000 of them.
t.test('the estimate is between 0.8 and 2.5 times the heap that a value takes', async t => {
  const cases: Array<[title: string, value: unknown, heapBytes: number]> = [
    ['text of one byte a character', 'x'.repeat(2_000), 2_000],
    ['text of two bytes a character', '日'.repeat(2_000), 4_000],
    ['distinct keys', Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`key${i}`, i])), 200 * 95],
    ['nesting', JSON.parse('['.repeat(100) + ']'.repeat(100)), 100 * 60],
    ['numbers', Array.from({ length: 300 }, (_, i) => i + 0.5), 300 * 8],
    ['objects of one shape', Array.from({ length: 200 }, (_, i) => ({ id: i, name: 'v' })), 200 * 60]
  ]
  for (const [title, value, heapBytes] of cases) {
    t.ok(bytesOf(value) > heapBytes * 0.8, `${title}: ${bytesOf(value)} of ${heapBytes}`)
    t.ok(bytesOf(value) < heapBytes * 2.5, `${title}: ${bytesOf(value)} of ${heapBytes}`)
  }
})

t.test('deep nesting does not overflow the stack', async t => {
  t.ok(bytesOf(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000))) > 64 * 1024)
})
