import { compareReads } from './ledger-reads.ts'

/**
 * Like reads.ts, but compares ten million executions with ten thousand. Takes about 5 minutes on Redis, 20 on PostgreSQL, and 15 GB of
 * memory or disk. Run: npm run bench reads-ten-million redis|postgres [size], for example `npm run bench reads-ten-million postgres`
 */
const [kind = 'redis', size = '10000000'] = process.argv.slice(2)
await compareReads(kind, [10_000, Number(size)])
