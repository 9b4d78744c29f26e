import t from 'tap'
import { withNotice, type Notice } from '../../../../ui/src/format/actions/notices.ts'

function shownAfter(...tones: Array<Notice['tone']>): string {
  const all = tones.reduce<readonly Notice[]>((notices, tone, id) => withNotice(notices, { id, tone, text: '' }), [])
  return all.map(({ id, tone }) => `${tone} ${id}`).join(', ')
}

t.test('a failure stays, however many actions succeed after it', async t => {
  t.equal(shownAfter('bad', 'good', 'good', 'good', 'good'), 'bad 0, good 2, good 3, good 4')
  t.equal(shownAfter('doubt', 'bad', 'doubt', 'good'), 'doubt 0, bad 1, doubt 2, good 3')
})

t.test('of many failures, the last three are shown', async t => {
  t.equal(shownAfter('bad', 'bad', 'doubt', 'bad', 'bad'), 'doubt 2, bad 3, bad 4')
  t.equal(shownAfter('good', 'bad', 'good'), 'good 0, bad 1, good 2')
})
