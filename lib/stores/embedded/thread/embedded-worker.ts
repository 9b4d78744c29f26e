import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseSettings } from '../database/open-database.ts'
import { serveDatabase } from './serve-database.ts'

// The thread of an embedded store. It exits when its database is closed, whatever is still open.
await serveDatabase(parentPort!, workerData as DatabaseSettings, () => setImmediate(() => process.exit()))
