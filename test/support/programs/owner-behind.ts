/** An owner's worker whose clock is behind, in a separate process. Every job fails. Arguments: URL, queue, milliseconds. */
import { connectionOf } from './owners-of-queues.ts'

const [url = '', name = '', behindMs = '0'] = process.argv.slice(2)
const now = Date.now.bind(Date)
Date.now = () => now() - Number(behindMs)
const { Worker } = await import('bullmq')
const worker = new Worker(name, async () => { throw new Error('no') }, { connection: connectionOf(url), concurrency: 5 })
worker.on('error', () => {})
worker.on('failed', () => process.send!('failed'))
