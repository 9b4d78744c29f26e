import t from 'tap'
import { whyNotCounted } from '../../../../ui/src/format/tasks/why-not-counted.ts'

t.test('a job name is never counted, and a queue is not counted while it cannot be read', async t => {
  t.equal(whyNotCounted({ part_of: 'mail' }), 'BullMQ counts waiting and running jobs per queue, not per job name')
  t.equal(whyNotCounted({ part_of: null }), 'The queue cannot be read now')
})
