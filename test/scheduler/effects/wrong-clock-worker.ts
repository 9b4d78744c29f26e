/** A worker with a schedule that runs every second. Its clock is wrong until it gets a message. */
const [url, aheadMs] = process.argv.slice(2) as [string, string]

const { now } = Date
let ahead = Number(aheadMs)
Date.now = () => now() + ahead
process.on('message', () => { ahead = 0 })

const { QueueApp } = await import('../../../lib/index.ts')
const queueApp = QueueApp.fromUrls({ broker: url, onError() {} })
queueApp.task('tick', () => {})
await queueApp.createScheduler().scheduleInterval('tick', 1_000, 'Every second')
await queueApp.start()
process.send!('started')
