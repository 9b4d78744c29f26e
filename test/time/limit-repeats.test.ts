import t, { type Test } from 'tap'
import { limitRepeats } from '../../lib/time/limit-repeats.ts'

t.test('the same message is reported at intervals, and another one at once', async t => {
  const { reported, report, pass } = watch(t)
  for (const message of ['lost', 'lost', 'full', 'lost']) report(new Error(message))
  t.same(reported, ['lost', 'full'])
  pass(999)
  report(new Error('lost'))
  t.same(reported, ['lost', 'full'])
  pass(1)
  report(new Error('lost'))
  t.same(reported, ['lost', 'full', 'lost'])
})

t.test('setting the clock back silences nothing', async t => {
  const { reported, report, pass } = watch(t)
  report(new Error('lost'))
  t.intercept(Date, 'now', { value: () => 0 })
  pass(1_000)
  report(new Error('lost'))
  t.equal(reported.length, 2)
})

t.test('a limited number of messages is remembered', async t => {
  const { reported, report } = watch(t)
  for (let each = 0; each < 101; each++) report(new Error(`no answer ${each}`))
  report(new Error('no answer 0'))
  t.equal(reported.length, 102, 'the first was forgotten and reported again')
})

t.test('a thrown value that is not an Error is reported too', async t => {
  const { reported, report } = watch(t)
  report('text' as unknown as Error)
  report('text' as unknown as Error)
  t.same(reported, ['text'])
})

/** Limits repeats to one per second, by a clock that the test moves. */
function watch(t: Test) {
  let now = 5
  t.intercept(performance, 'now', { value: () => now })
  const reported: string[] = []
  const report = limitRepeats(error => { reported.push(error.message ?? String(error)) }, 1_000)
  return { reported, report, pass: (ms: number) => { now += ms } }
}
