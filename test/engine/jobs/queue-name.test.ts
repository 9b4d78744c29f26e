import fc from 'fast-check'
import t from 'tap'
import { queueNameFromTask, taskFromQueueName } from '../../../lib/engine/jobs/queue-name.ts'

t.test('a queue name has only plain characters and maps back to its task', async t => {
  for (const [task, queue] of [
    ['report', 'report'], ['email:send', 'email%3asend'], ['reports/daily', 'reports%2fdaily'], ['日報', '%e6%97%a5%e5%a0%b1'],
    ['100%', '100%25'],
    ['%3a', '%253a'], ['%ud800', '%25ud800'], ['\ud800', '%ud800'], ['~documents', '%7edocuments']
  ] as const) {
    t.equal(queueNameFromTask(task), queue)
    t.equal(taskFromQueueName(queue), task)
  }
})

t.test('any task name survives the conversion to a queue name and back', async t => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0, max: 0xffff })), (text, units) => {
    for (const task of [text, String.fromCharCode(...units)]) {
      const queue = queueNameFromTask(task)
      if (!/^[\w.%-]*$/.test(queue)) throw new Error(`${queue} is not plain`)
      if (taskFromQueueName(queue) !== task)
        throw new Error(`${JSON.stringify(task)} came back as ${JSON.stringify(taskFromQueueName(queue))}`)
    }
  }))
  t.pass()
})
