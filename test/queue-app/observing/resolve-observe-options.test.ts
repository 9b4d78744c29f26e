import t from 'tap'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import type { Queue } from 'bullmq'
import { resolveSources } from '../../../lib/queue-app/observing/resolve-observe-options.ts'

t.test('an adapter of bull-board and a queue of Bull are refused with what to pass instead', async t => {
  const queue = { name: 'emails', opts: { connection: { host: '127.0.0.1', port: 6379 } }, metaValues: { version: 'bullmq:6.0.0' } }
  t.throws(() => resolveSources([new BullMQAdapter(queue as unknown as Queue)]), {
    code: 'INVALID_OPTIONS', message: 'Invalid options: source[0] is an adapter of bull-board: pass the BullMQ queue itself'
  })
  // As `new Bull('emails')` of version 3 or 4.
  const bull = { name: 'emails', keyPrefix: 'bull', client: {}, process() {}, add() {} }
  t.throws(() => resolveSources([bull]), { code: 'INVALID_OPTIONS', message: /^Invalid options: source\[0\] is a queue of Bull, [^;]+$/ })
  t.match(resolveSources([queue]), [{ queues: ['emails'] }])
})
