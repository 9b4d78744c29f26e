import { QueueApp } from '../../lib/index.ts'

// As an application would: nothing is caught, so a failed start is an uncaught error with its exit code.
const [broker, backend] = process.argv.slice(2) as [string, string | undefined]
const queueApp = QueueApp.fromUrls({ broker, ...(backend && { backend }) })
queueApp.task('noop', () => {})
await queueApp.start()
process.send?.('started')
process.on('message', () => { void queueApp.stop().then(() => process.disconnect()) })
