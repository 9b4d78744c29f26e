import t from 'tap'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { Queue } from 'bullmq'
import { resolveSources } from '../../../lib/queue-app/observing/resolve-observe-options.ts'

t.test('an adapter of bull-board and a queue of Bull are refused with what to pass instead', async t => {
  const queue = new Queue('emails', { connection: { host: '127.0.0.1', port: 1, lazyConnect: true } })
  queue.on('error', () => {})
  t.teardown(() => queue.disconnect())
  t.throws(() => resolveSources([new BullMQAdapter(queue)]), {
    code: 'INVALID_OPTIONS', message: 'Invalid options: source[0] is an adapter of bull-board: pass the BullMQ queue itself'
  })
  // As `new Bull('emails')` of version 3 or 4.
  const bull = { name: 'emails', keyPrefix: 'bull', client: {}, process() {}, add() {} }
  t.throws(() => resolveSources([bull]), { code: 'INVALID_OPTIONS', message: /^Invalid options: source\[0\] is a queue of Bull, [^;]+$/ })
  t.match(resolveSources([queue]), [{ queues: ['emails'] }])
})
