import t from 'tap'
import type { Queue } from '../../../../schemas/index.ts'
import { changedLimits, limitsDraftOf, limitsFromDraft } from '../../../../ui/src/format/workers/limits-draft.ts'

const queue = (of: Partial<Queue>) => ({ limits: null, rate_limit: null, ...of }) as Queue
const STANDING = { since: null, by: null, reason: null }

t.test('a draft shows the current limits, and the window in the code', async t => {
  t.strictSame(limitsDraftOf(queue({})), { concurrency: '', max: '', seconds: '' })
  const limits = { concurrency: 2, rate: { max: 5, duration_ms: 1_500 }, ...STANDING }
  t.strictSame(limitsDraftOf(queue({ limits })), { concurrency: '2', max: '5', seconds: '1.5' })
  t.strictSame(limitsDraftOf(queue({ rate_limit: { max: 9, duration_ms: 60_000 } })), { concurrency: '', max: '', seconds: '60' })
})

t.test('a draft changes only what differs from how it was opened', async t => {
  const rate = { max: 5, duration_ms: 1_500 }
  const limited = queue({ limits: { concurrency: 2, rate, ...STANDING } })
  const opened = limitsFromDraft(limitsDraftOf(limited))!
  t.equal(changedLimits(opened, limited), null)
  t.equal(changedLimits({ concurrency: null, rate: null }, queue({})), null)
  t.strictSame(changedLimits({ ...opened, concurrency: 5 }, limited), { concurrency: 5 })
  t.strictSame(changedLimits({ concurrency: 5, rate: null }, queue({})), { concurrency: 5 }, 'an empty field lifts nothing')
  t.strictSame(changedLimits({ ...opened, rate: null }, limited), { rate: null })
  t.strictSame(changedLimits({ ...opened, rate: { ...rate, max: 6 } }, limited), { rate: { ...rate, max: 6 } })
  t.strictSame(changedLimits({ concurrency: null, rate }, limited), { concurrency: null })
})

t.test('a draft sets the rate again after a deploy changed its window, but not together with another change', async t => {
  const moved = queue({
    limits: { concurrency: 2, rate: { max: 5, duration_ms: 1_500 }, ...STANDING }, rate_limit: { max: 9, duration_ms: 60_000 }
  })
  const opened = limitsFromDraft(limitsDraftOf(moved))!
  t.strictSame(changedLimits(opened, moved), { rate: { max: 5, duration_ms: 60_000 } })
  t.strictSame(changedLimits({ ...opened, concurrency: 3 }, moved), { concurrency: 3 })
})

t.test('a draft either gives valid limits or is invalid', async t => {
  const from = (concurrency: string, max: string, seconds: string) => limitsFromDraft({ concurrency, max, seconds })
  t.strictSame(from('', '', ''), { concurrency: null, rate: null })
  t.strictSame(from(' 3 ', '', '60'), { concurrency: 3, rate: null }, 'a window alone is no limit')
  t.strictSame(from('', '10', '0.5'), { concurrency: null, rate: { max: 10, duration_ms: 500 } })
  t.strictSame(from('', '10', '0,5'), { concurrency: null, rate: { max: 10, duration_ms: 500 } }, 'a comma before the decimals')
  t.strictSame(from('', '10', ' 12,25 '), { concurrency: null, rate: { max: 10, duration_ms: 12_250 } })
  for (const [concurrency, max, seconds] of [
    ['0', '', ''], ['-1', '', ''], ['x', '', ''], ['100001', '', ''], ['', '0', '1'], ['', '1', ''], ['', '1', '0'], ['', '1', '86401'],
    ['', '1000001', '1'], ['', '1', '1e3'], ['', '1', '1,500'], ['', '1', '1.5,5']
  ] as const) t.equal(from(concurrency, max, seconds), null, `${concurrency}, ${max}, ${seconds}`)
})
