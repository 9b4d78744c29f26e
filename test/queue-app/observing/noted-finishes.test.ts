import t from 'tap'
import { createNotedFinishes } from '../../../lib/queue-app/observing/noted-finishes.ts'

const execution = (finishedOn: number, status: string) => ({ executionId: `emails:7@${finishedOn}`, status })
const told = (at: number, status: string, eventId = `${at}-0`) => ({ taskName: 'emails', jobId: '7', eventId, at, status })

t.test('a finish that was recorded from its job belongs to one event', async t => {
  const noted = createNotedFinishes()
  noted.note([execution(1_000, 'success')])
  t.ok(noted.has(told(1_200, 'success')), 'clocks differ a little')
  t.ok(noted.has(told(1_200, 'success')), 'asked again, because recording failed')
  t.notOk(noted.has(told(6_000, 'success')), 'the job ended again')
  t.notOk(noted.has({ ...told(1_200, 'success', '1-0'), jobId: '8' }))
})

t.test('a recorded failure does not belong to the success of a retry seconds later', async t => {
  const noted = createNotedFinishes()
  noted.note([execution(1_000, 'failed')])
  t.notOk(noted.has(told(6_000, 'success')))
  t.ok(noted.has(told(1_000, 'failed')))
})

t.test('a finish that was recorded for an event belongs to no other event, even if it is recorded again', async t => {
  const noted = createNotedFinishes()
  noted.note([execution(1_000, 'success')], () => '1000-0')
  noted.note([execution(1_000, 'success')])
  t.notOk(noted.has(told(3_000, 'success')))
  t.ok(noted.has(told(1_000, 'success')))
})

t.test('an event belongs to the nearest of several finishes, and to none that is over a minute away', async t => {
  const noted = createNotedFinishes()
  noted.note([execution(1_000, 'success'), execution(30_000, 'success')])
  t.ok(noted.has(told(29_000, 'success')))
  t.ok(noted.has(told(1_500, 'success')))
  t.notOk(noted.has(told(29_500, 'success')))
  noted.note([execution(200_000, 'success')])
  t.notOk(noted.has(told(261_000, 'success')))
})
