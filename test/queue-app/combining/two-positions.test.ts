import t from 'tap'
import { decodePositions, encodePositions } from '../../../lib/queue-app/combining/two-positions.ts'
import { behind, END, LOST, START } from '../../../lib/queue-app/monitoring/executions/execution-sources.ts'

t.test('one cursor has the positions of two lists, whatever they are', async t => {
  const texts = [[START, '0'], [END, '1'], [LOST, '2'], [behind('AwA'), 'AwA']] as const
  for (const [own, ownText] of texts) {
    for (const [others, othersText] of texts) {
      t.equal(encodePositions([own, others]), `${ownText}.${othersText}`)
      t.same(decodePositions(`${ownText}.${othersText}`), [own, others])
    }
  }
  for (const cursor of ['', '0', '0.1.2']) t.throws(() => decodePositions(cursor), { code: 'INVALID_CURSOR' }, cursor)
})
