import t from 'tap'
import {
  BEGINNING, isHeadAsked, nextMemory, retryWaitMs, toPhase, type Memory, type Observed, type Step
} from '../../../ui/src/format/live-history.ts'

const indexed = { scanned: null, complete: true }
const scanned = { scanned: 5_000, complete: true }
const cut = { scanned: 5_000, complete: false }

/** One page of an indexed list, at its top, with nobody pointing at it. */
const calm: Observed = {
  pages: [indexed], hasFailed: false, hasMore: false, isLoadingMore: false, hasMoreFailed: false,
  found: 50, isPointedAt: false, isTopOutOfSight: false, isOldestFirst: false
}
const phase = (change: Partial<Observed>, memory: Partial<Memory> = {}) => toPhase({ ...calm, ...change }, { ...BEGINNING, ...memory })
const after = (...steps: readonly Step[]) => steps.reduce(nextMemory, BEGINNING)

t.test('a list loads, fails, and follows the server from its first answer on, whatever went wrong before', async t => {
  t.equal(phase({ pages: undefined }), 'loading')
  t.equal(phase({ pages: undefined, hasFailed: true }), 'failed')
  t.equal(phase({}), 'following')
  t.equal(phase({ hasFailed: true }), 'following', 'rows are there: its head makes it current while loading it again fails')
  t.equal(phase({ hasMore: true }), 'following', 'that there is more is no reason to hold still')
})

t.test('nothing moves under the pointer, nor while the reader is further down', async t => {
  t.equal(phase({ isPointedAt: true }), 'held')
  t.equal(phase({ isTopOutOfSight: true }), 'held')
  t.equal(phase({ pages: [indexed, indexed] }), 'held')
})

t.test('what costs looking through everything, or grows at its end, follows nothing', async t => {
  t.equal(phase({ pages: [scanned] }), 'still')
  t.equal(phase({ isOldestFirst: true }), 'still')
  t.equal(isHeadAsked({ pages: [indexed], isOldestFirst: false }), true)
  t.equal(isHeadAsked({ pages: [indexed], isOldestFirst: true }), false)
  t.equal(isHeadAsked({ pages: [indexed, scanned], isOldestFirst: false }), false)
  t.equal(isHeadAsked({ pages: undefined, isOldestFirst: false }), false, 'nothing is asked twice before the first answer')
})

t.test('the next page is on its way, fails, is retried, and comes', async t => {
  const down = { pages: [indexed, indexed], hasMore: true }
  t.equal(phase({ ...down, isLoadingMore: true }), 'extending')
  t.equal(phase({ ...down, hasMoreFailed: true }), 'retrying')
  t.equal(phase({ ...down, hasMoreFailed: true, isLoadingMore: true }), 'extending', 'while it is asked for again')
  t.equal(phase({ ...down, pages: [...down.pages, indexed] }), 'held')
})

t.test('each failure in a row doubles the wait, up to a minute, and a page that came ends the row', async t => {
  const failed: Step = { type: 'more-failed' }
  const waits = [1, 2, 3, 4, 5, 20].map(count => retryWaitMs(after(...Array.from({ length: count }, () => failed))))
  t.strictSame(waits, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  t.equal(retryWaitMs(after(failed, failed, failed, { type: 'more-loaded' }, failed)), 5_000, 'an outage is not held against the next one')
  t.equal(nextMemory(BEGINNING, { type: 'more-loaded' }), BEGINNING, 'nothing is drawn again for nothing')
})

t.test('a search looks on until it has a screen full, is stopped, or is at the end', async t => {
  const partial = { pages: [cut], hasMore: true, found: 3 }
  t.equal(phase(partial), 'searching')
  t.equal(phase({ ...partial, isLoadingMore: true }), 'searching')
  t.equal(phase({ ...partial, found: 100 }), 'stopped')
  t.equal(phase({ ...partial, found: 100 }, after({ type: 'ended', found: 100 })), 'searching', 'scrolling to the end wants more')
  t.equal(phase(partial, after({ type: 'stopped' })), 'stopped')
  t.equal(phase(partial, after({ type: 'stopped' }, { type: 'ended', found: 3 })), 'stopped', 'scrolling does not undo a stop')
  t.equal(phase(partial, after({ type: 'stopped' }, { type: 'resumed', found: 3 })), 'searching')
  t.equal(phase({ ...partial, hasMoreFailed: true }), 'retrying')
  t.equal(phase({ ...partial, hasMore: false }), 'still', 'all was looked through')
})
