import t from 'tap'
import { v4, v7 } from 'uuid'
import { fixedDelay } from '../../../../lib/time/backoff.ts'
import { timeOfExecutionId } from '../../../../lib/queue-app/monitoring/executions/execution-id.ts'
import { createEnqueueRequest } from '../../../../lib/queue-app/enqueueing/enqueue-request.ts'

t.test('our own execution ids contain their creation time', t => {
  const before = Date.now()
  const time = timeOfExecutionId(createEnqueueRequest('a', [], {}, { retries: 0, backoff: fixedDelay(0) }).executionId)!
  t.ok(time >= before && time <= Date.now() + 1)
  t.equal(timeOfExecutionId(v7({ msecs: 1_700_000_000_123 })), 1_700_000_000_123)
  t.end()
})

t.test('ids of planned runs contain their due time', t => {
  t.equal(timeOfExecutionId('repeat:daily:1763629200000'), 1_763_629_200_000)
  t.equal(timeOfExecutionId('repeat:a:b\n:c:5'), 5)
  t.end()
})

t.test('other ids contain no time', t => {
  for (const id of [
    v4(), '', '17', 'repeat:daily', 'repeat:daily:x', 'repeat::5', `${v7()}x`, v7().toUpperCase(), '01900000-0000-7000-0000-000000000000',
    `repeat:a:${'9'.repeat(17)}`
  ]) {
    t.equal(timeOfExecutionId(id), null, id)
  }
  t.end()
})
