import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseSettings } from '../database/open-database.ts'
import { serveDatabase } from './serve-database.ts'

// The thread of an embedded store. It ends when its database is closed, whatever is open still.
await serveDatabase(parentPort!, workerData as DatabaseSettings, () => setImmediate(() => process.exit()))
