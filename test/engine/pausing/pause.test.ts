import t from 'tap'
import { UNKNOWN_PAUSE } from '../../../lib/engine/pausing/queue-pause.ts'
import { testPause } from '../../contracts/engine-pause.ts'
import { openQueues, startEngine } from '../../contracts/engine-work.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('queues are paused on each store', t => onEveryStore(t, async (t, url) => {
  const { engine } = await startEngine(t, url, 'paused')
  // One process at a time opens an embedded store.
  const { engine: other } = url.startsWith('embedded') ? { engine } : await startEngine(t, url, 'paused')
  await testPause(t, engine, other)
}))

t.test('a pause outlives the process that made it, and ends without that process', t => onEveryStore(t, async (t, url) => {
  const first = await startEngine(t, url, 'paused')
  const until = Date.now() + 2_500
  await first.engine.pauseQueue('ends', { by: 'ada', reason: null, until })
  await first.engine.pauseQueue('stays', { by: 'ada', reason: null, until: null })
  await first.stop()
  const { engine } = await startEngine(t, url, 'paused')
  const pauses = async () => [...(await engine.queues(['ends', 'stays'])).values()].map(each => each.pause?.by)
  if (Date.now() < until - 500) t.same(await pauses(), ['ada', 'ada'])
  await waitFor('its end', async () => (await pauses())[0] === undefined, 9_000)
  t.ok(Date.now() >= until)
  t.same(await pauses(), [undefined, 'ada'])
}))

t.test('a pause by other code has no known author, and is not confused with ours', t => onEveryStore(t, async (t, url) => {
  const { engine, store } = await startEngine(t, url, 'paused')
  const queue = (await openQueues(t, store))('shared')
  const pause = async () => (await engine.queues(['shared'])).get('shared')!.pause
  await queue.pause()
  t.same(await pause(), UNKNOWN_PAUSE)
  t.match(await engine.pauseQueue('shared', { by: 'ada', reason: 'x', until: null }), { by: 'ada' })
  t.match([await pause(), await queue.isPaused()], [{ by: 'ada' }, true])
  await queue.resume()
  t.equal(await pause(), null)
  // On Redis, the details of our pause are forgotten within seconds after other code resumed the queue.
  if (url.startsWith('redis')) await waitFor('the details to be forgotten', async () => {
    await queue.pause()
    const isForgotten = (await pause())!.by === null
    if (!isForgotten) {
      await queue.resume()
      await new Promise(resolve => { setTimeout(resolve, 6_000) })
    }
    return isForgotten
  })
  else await queue.pause()
  t.same(await pause(), UNKNOWN_PAUSE)
  await engine.resumeQueue('shared')
  t.equal(await queue.isPaused(), false, 'no matter who paused it')
}))
