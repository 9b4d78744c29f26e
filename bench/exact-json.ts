/**
 * The cost of checking that JSON preserves the arguments: checking and writing them, compared with `JSON.stringify` alone.
 * Run: npm run bench exact-json
 */
import { exactJson } from '../lib/json/exact-json.ts'

const ROUNDS = 21
const order = (items: number) => ({
  id: '0198c0de-7f00-7000-8000-000000000001', total: 129.9, isPaid: true, note: null,
  address: { street: 'High Street 1', city: 'Leeds', postcode: 'LS1 1AA' },
  items: Array.from({ length: items }, (_, index) => ({ sku: `SKU-${index}`, count: index % 5, price: index / 4, tags: ['new', 'sale'] }))
})
const cases: ReadonlyArray<readonly [name: string, args: readonly unknown[]]> = [
  ['two short strings', ['ana@example.com', 'Hello']],
  ['an order of 3 items', [order(3)]],
  ['an order of 1,000 items', [order(1_000)]],
  ['1,000,000 numbers', [Array.from({ length: 1_000_000 }, (_, index) => index)]],
  ['a text of 1 MiB', ['x'.repeat(1024 * 1024)]]
]

process.stdout.write('| arguments | JSON.stringify | exactJson | ratio |\n|---|---|---|---|\n')
for (const [name, args] of cases) {
  const calls = Math.max(1, Math.round(4_000_000 / JSON.stringify(args).length / 4))
  const plain: number[] = []
  const exact: number[] = []
  // In turns, so that other load on the machine affects both.
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(timed(calls, () => JSON.stringify(args)))
    exact.push(timed(calls, () => exactJson(args)))
  }
  const [one, other] = [median(plain), median(exact)]
  process.stdout.write(`| ${name} | ${one.toFixed(2)} µs | ${other.toFixed(2)} µs | ${(other / one).toFixed(2)} |\n`)
}

/** @returns microseconds per call */
function timed(calls: number, call: () => unknown): number {
  const begun = performance.now()
  for (let count = 0; count < calls; count++) call()
  return (performance.now() - begun) * 1_000 / calls
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
}
