import { QueryClient, QueryObserver } from '@tanstack/react-query'
import t, { type Test } from 'tap'
import { forgetFirstAnswers, toFirstAnswer } from '../../../ui/src/api/first-answer.ts'

const STALE_AFTER_MS = 2_000

/** The data that a view shows at once when it is opened this long after the page was loaded. */
function openedAfter(t: Test, ms: number) {
  const client = new QueryClient()
  let asked = 0
  const observer = new QueryObserver(client, {
    queryKey: ['stats'], queryFn: () => new Promise<string>(() => { asked++ }),
    ...toFirstAnswer('of the page', Date.now() - ms, STALE_AFTER_MS)
  })
  t.teardown(observer.subscribe(() => {}))
  t.teardown(() => client.clear())
  const { data, dataUpdatedAt } = observer.getCurrentResult()
  return { data, age: dataUpdatedAt === 0 ? null : Math.round((Date.now() - dataUpdatedAt) / 1_000) * 1_000, asked }
}

t.test('responses embedded in a page are used for its first paint, and are as old as the page', async t => {
  t.same(openedAfter(t, 0), { data: 'of the page', age: 0, asked: 0 })
  t.same(openedAfter(t, 5_000), { data: 'of the page', age: 5_000, asked: 1 }, 'after a slow start they are shown, and requested again')
  t.same(openedAfter(t, 3_600_000), { data: undefined, age: null, asked: 1 }, 'an hour later they are no longer used')
  t.same(toFirstAnswer(undefined, 0, STALE_AFTER_MS), {})
})

t.test('a response embedded in the page does not come back after its data was dropped', async t => {
  const client = new QueryClient()
  const options = {
    queryKey: ['stats'], queryFn: () => new Promise<string>(() => {}), ...toFirstAnswer('of the page', Date.now(), STALE_AFTER_MS)
  }
  const observer = new QueryObserver(client, options)
  t.teardown(observer.subscribe(() => {}))
  t.teardown(() => client.clear())
  t.equal(observer.getCurrentResult().data, 'of the page')
  const drop = (): void => {
    client.getQueryCache().find({ queryKey: ['stats'] })!.setState({ data: undefined, dataUpdatedAt: 0, status: 'pending' })
    // As a view does when it is drawn again.
    observer.setOptions(options)
  }
  drop()
  t.equal(observer.getCurrentResult().data, 'of the page', 'it would come back')
  forgetFirstAnswers()
  drop()
  t.equal(observer.getCurrentResult().data, undefined)
})
