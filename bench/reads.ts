import { compareReads } from './ledger-reads.ts'

/**
 * The time of each read at growing sizes of the history, with 1 client: p50 / p99 of 1,000 calls (or as many as fit in 10 s) with different
 * values each time, and the ratio of the last size to the first.
 * Run: npm run bench reads redis|postgres [sizes…], for example `npm run bench reads redis 10000 100000 1000000`
 */
const [kind = 'redis', ...sizes] = process.argv.slice(2)
await compareReads(kind, sizes.length > 0 ? sizes.map(Number) : [10_000, 100_000, 1_000_000])
