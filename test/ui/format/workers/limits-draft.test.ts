import t from 'tap'
import type { Queue } from '../../../../schemas/index.ts'
import { isSameLimits, limitsDraftOf, limitsFromDraft } from '../../../../ui/src/format/workers/limits-draft.ts'

const queue = (of: Partial<Queue>) => ({ limits: null, rate_limit: null, ...of }) as Queue
const STANDING = { since: null, by: null, reason: null }

t.test('a draft shows the limits that stand, and the window of the code', async t => {
  t.strictSame(limitsDraftOf(queue({})), { concurrency: '', max: '', seconds: '' })
  const limits = { concurrency: 2, rate: { max: 5, duration_ms: 1_500 }, ...STANDING }
  t.strictSame(limitsDraftOf(queue({ limits })), { concurrency: '2', max: '5', seconds: '1.5' })
  t.strictSame(limitsDraftOf(queue({ rate_limit: { max: 9, duration_ms: 60_000 } })), { concurrency: '', max: '', seconds: '60' })
  t.ok(isSameLimits(limitsFromDraft(limitsDraftOf(queue({ limits })))!, queue({ limits })))
  t.notOk(isSameLimits({ concurrency: 2, rate: null }, queue({ limits })))
  t.ok(isSameLimits({ concurrency: null, rate: null }, queue({})))
})

t.test('a draft asks for limits or makes no sense', async t => {
  const from = (concurrency: string, max: string, seconds: string) => limitsFromDraft({ concurrency, max, seconds })
  t.strictSame(from('', '', ''), { concurrency: null, rate: null })
  t.strictSame(from(' 3 ', '', '60'), { concurrency: 3, rate: null }, 'a window alone is no limit')
  t.strictSame(from('', '10', '0.5'), { concurrency: null, rate: { max: 10, duration_ms: 500 } })
  for (const [concurrency, max, seconds] of [
    ['0', '', ''], ['-1', '', ''], ['x', '', ''], ['100001', '', ''], ['', '0', '1'], ['', '1', ''], ['', '1', '0'], ['', '1', '86401'],
    ['', '1000001', '1'], ['', '1', '1e3']
  ] as const) t.equal(from(concurrency, max, seconds), null, `${concurrency}, ${max}, ${seconds}`)
})
