import t from 'tap'
import { createRepeatedSteps } from '../../lib/time/repeated-steps.ts'
import { waitFor } from '../support/wait-for.ts'

const EVERY_MS = 20

t.test('a pass makes steps while there is work, at once or after a pause, and is repeated', async t => {
  for (const startsAtOnce of [true, false]) {
    const left = [2, 1, 0, 1, 0]
    let steps = 0
    const repeated = createRepeatedSteps({
      everyMs: EVERY_MS, startsAtOnce, onError: error => t.fail(error.message), step: async () => left[steps++] ?? 0
    })
    t.teardown(repeated.stop)
    repeated.start()
    repeated.start()
    t.equal(steps, startsAtOnce ? 1 : 0)
    await waitFor('two passes', async () => steps >= left.length)
  }
})

t.test('a pass has a maximum number of steps, and passes do not overlap', async t => {
  let running = 0
  let most = 0
  let steps = 0
  const repeated = createRepeatedSteps({
    everyMs: EVERY_MS, startsAtOnce: true, maxSteps: 3, onError: error => t.fail(error.message),
    async step() {
      steps++
      most = Math.max(most, ++running)
      await new Promise(resolve => { setTimeout(resolve, EVERY_MS * 2) })
      running--
      return 1
    }
  })
  repeated.start()
  await waitFor('a second pass', async () => steps > 3)
  await repeated.stop()
  t.equal(most, 1)
})

t.test('stop() resolves after the step that is running, and no other follows', async t => {
  let end = (_done: number): void => {}
  let steps = 0
  const repeated = createRepeatedSteps({
    everyMs: EVERY_MS, startsAtOnce: true, onError: error => t.fail(error.message),
    step: () => {
      steps++
      return new Promise(resolve => { end = resolve })
    }
  })
  repeated.start()
  let isStopped = false
  const stopping = repeated.stop().then(() => { isStopped = true })
  await new Promise(resolve => { setTimeout(resolve, EVERY_MS * 2) })
  t.equal(isStopped, false)
  end(5)
  await stopping
  repeated.start()
  await new Promise(resolve => { setTimeout(resolve, EVERY_MS * 3) })
  t.equal(steps, 1)
})

t.test('an error is reported, ends the pass, and the next pass runs', async t => {
  const errors: string[] = []
  const repeated = createRepeatedSteps({
    everyMs: EVERY_MS, startsAtOnce: true, onError: error => errors.push(error.message), step: () => Promise.reject(new Error('no store'))
  })
  t.teardown(repeated.stop)
  repeated.start()
  await waitFor('two reports', async () => errors.length >= 2)
  t.same([...new Set(errors)], ['no store'])
})
