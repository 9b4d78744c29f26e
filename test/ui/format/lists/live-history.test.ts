import t from 'tap'
import {
  BEGINNING, isHeadAsked, nextMemory, retryWaitMs, toPhase, type Memory, type Observed, type Step
} from '../../../../ui/src/format/lists/live-history.ts'

const indexed = { scanned: null, complete: true }
const scanned = { scanned: 5_000, complete: true }
const cut = { scanned: 5_000, complete: false }

/** One page of an indexed list, scrolled to its top, with no pointer over it. */
const calm: Observed = {
  pages: [indexed], hasFailed: false, hasMore: false, isLoadingMore: false, hasMoreFailed: false,
  found: 50, isPointedAt: false, isTopOutOfSight: false, isOldestFirst: false
}
const phase = (change: Partial<Observed>, memory: Partial<Memory> = {}) => toPhase({ ...calm, ...change }, { ...BEGINNING, ...memory })
const after = (...steps: readonly Step[]) => steps.reduce(nextMemory, BEGINNING)

t.test('a list loads, fails, and follows the server from its first response on, whatever failed before', async t => {
  t.equal(phase({ pages: undefined }), 'loading')
  t.equal(phase({ pages: undefined, hasFailed: true }), 'failed')
  t.equal(phase({}), 'following')
  t.equal(phase({ hasFailed: true }), 'following', 'it has rows: polling its head keeps it current while reloading fails')
  t.equal(phase({ hasMore: true }), 'following', 'more pages do not stop it')
})

t.test('nothing moves under the pointer or while the reader has scrolled down', async t => {
  t.equal(phase({ isPointedAt: true }), 'held')
  t.equal(phase({ isTopOutOfSight: true }), 'held')
  t.equal(phase({ pages: [indexed, indexed] }), 'held')
})

t.test('a list that scans everything, or that grows at its end, is not followed', async t => {
  t.equal(phase({ pages: [scanned] }), 'still')
  t.equal(phase({ isOldestFirst: true }), 'still')
  t.equal(isHeadAsked({ pages: [indexed], isOldestFirst: false }), true)
  t.equal(isHeadAsked({ pages: [indexed], isOldestFirst: true }), false)
  t.equal(isHeadAsked({ pages: [indexed, scanned], isOldestFirst: false }), false)
  t.equal(isHeadAsked({ pages: undefined, isOldestFirst: false }), false, 'no second request before the first response')
})

t.test('the next page loads, fails, is retried and arrives', async t => {
  const down = { pages: [indexed, indexed], hasMore: true }
  t.equal(phase({ ...down, isLoadingMore: true }), 'extending')
  t.equal(phase({ ...down, hasMoreFailed: true }), 'retrying')
  t.equal(phase({ ...down, hasMoreFailed: true, isLoadingMore: true }), 'extending', 'during the retry')
  t.equal(phase({ ...down, pages: [...down.pages, indexed] }), 'held')
})

t.test('each consecutive failure doubles the wait, up to a minute, and a success resets it', async t => {
  const failed: Step = { type: 'more-failed' }
  const waits = [1, 2, 3, 4, 5, 20].map(count => retryWaitMs(after(...Array.from({ length: count }, () => failed))))
  t.strictSame(waits, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  t.equal(retryWaitMs(after(failed, failed, failed, { type: 'more-loaded' }, failed)), 5_000, 'a new outage starts afresh')
  t.equal(nextMemory(BEGINNING, { type: 'more-loaded' }), BEGINNING, 'no new state, so no needless render')
})

t.test('a search continues until it has a screenful, is stopped or reaches the end', async t => {
  const partial = { pages: [cut], hasMore: true, found: 3 }
  t.equal(phase(partial), 'searching')
  t.equal(phase({ ...partial, isLoadingMore: true }), 'searching')
  t.equal(phase({ ...partial, found: 100 }), 'stopped')
  t.equal(phase({ ...partial, found: 100 }, after({ type: 'ended', found: 100 })), 'searching', 'scrolling to the end continues it')
  t.equal(phase(partial, after({ type: 'stopped' })), 'stopped')
  t.equal(phase(partial, after({ type: 'stopped' }, { type: 'ended', found: 3 })), 'stopped', 'scrolling does not undo a stop')
  t.equal(phase(partial, after({ type: 'stopped' }, { type: 'resumed', found: 3 })), 'searching')
  t.equal(phase({ ...partial, hasMoreFailed: true }), 'retrying')
  t.equal(phase({ ...partial, hasMore: false }), 'still', 'everything was searched')
})
