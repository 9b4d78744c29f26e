import { compareReads } from './ledger-reads.ts'

/**
 * What each read takes at growing sizes of the history, 1 client: p50 / p99 of 1,000 calls (of those that fit 10 s, where it takes longer)
 * with other values each time, and what the last size takes beside the first.
 * Run: npm run bench reads redis|postgres [sizes…], for example `npm run bench reads redis 10000 100000 1000000`
 */
const [kind = 'redis', ...sizes] = process.argv.slice(2)
await compareReads(kind, sizes.length > 0 ? sizes.map(Number) : [10_000, 100_000, 1_000_000])
