import { QueueApp } from '../../lib/index.ts'

// Like an application: a failed start is an uncaught error with its exit code. Prints how long it took.
const [broker, backend] = process.argv.slice(2) as [string, string | undefined]
const begun = performance.now()
process.on('exit', () => console.log(`took ${Math.round(performance.now() - begun)} ms`))
const queueApp = QueueApp.fromUrls({ broker, ...(backend && { backend }), stopGraceMs: 500 })
queueApp.task('noop', () => {})
queueApp.task('endless', async () => {
  process.send?.('running')
  await new Promise(() => {})
})
await queueApp.start()
process.send?.('started')
process.on('message', message => {
  if (message === 'run') void queueApp.enqueue('endless')
  else void queueApp.stop().then(() => process.disconnect())
})
