import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createFairRead } from '../../../../lib/engine/observing/postgres/fair-read.ts'
import { DeadlineError } from '../../../../lib/time/deadline.ts'

t.test('a schema that does not respond gets one statement at a time, until one succeeds', async t => {
  const sent: Array<{ readonly text: string; answer(): void; fail(error: Error): void }> = []
  const read = createFairRead(<Row extends object>(text: string) => new Promise<Row[]>((resolve, reject) => {
    sent.push({ text, answer: () => resolve([]), fail: reject })
  }), isSilent => isSilent ? 1 : 3)
  const asked = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(text => read(text).then(() => `${text} read`, () => `${text} failed`))
  const texts = async (): Promise<string> => {
    await nextTurn()
    return sent.map(({ text }) => text).join('')
  }
  t.equal(await texts(), 'abc')
  for (const { fail } of sent) fail(new DeadlineError('locked'))
  t.equal(await texts(), 'abcd')
  sent[3]!.fail(new DeadlineError('locked'))
  t.equal(await texts(), 'abcde')
  sent[4]!.answer()
  t.equal(await texts(), 'abcdefg')
  for (const { answer } of sent) answer()
  t.same(await Promise.all(asked), ['a failed', 'b failed', 'c failed', 'd failed', 'e read', 'f read', 'g read'])
})

t.test('a read that waits too long is rejected, and is never sent', async t => {
  const sent: string[] = []
  let end = (): void => {}
  const read = createFairRead(<Row extends object>(text: string) => {
    sent.push(text)
    return new Promise<Row[]>(resolve => { end = () => resolve([]) })
  }, () => 1)
  const first = read('first')
  await t.rejects(read('second'), { name: 'DeadlineError' })
  end()
  await first
  await nextTurn()
  t.same(sent, ['first'])
})
