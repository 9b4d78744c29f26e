import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { readResult } from '../../../lib/queue-app/enqueueing/result.ts'
import { onEveryStore, redisUrl, testNamespace } from '../../support/servers/stores.ts'

const CALLS = 60

t.test('result() with waitMs returns the value or error as soon as the execution is over', async t => {
  await onEveryStore(t, async (t, url) => testResults(t, url, url))
  await t.test('it does so on two Redis databases too', async t => testResults(t, await redisUrl(t), await redisUrl(t)))
})

t.test('an invalid waitMs is refused at once', async t => {
  const pending = async () => { throw new Error('it is not read') }
  for (const [options, message] of [
    [{ waitMs: NaN }, /waitMs must be a number from 0 to 3600000/], [{ waitMs: -1 }, /waitMs/], [{ waitMs: Infinity }, /waitMs/],
    [{ waitMs: '5' }, /waitMs/],
    [{ waitMS: 5 }, /unknown option waitMS/], [null, /options must be an object/]
  ] as const) {
    await t.rejects(readResult('id', pending, options as never), { code: 'INVALID_ARGUMENTS', message })
  }
})

t.test('waiting for a result ends with the last known state, not an error, when the app stops', async t => {
  const queueApp = QueueApp.fromUrls({ broker: 'embedded:', backend: 'embedded:' })
  t.teardown(() => queueApp.stop())
  const echo = queueApp.task('echo', async (value: string) => value)
  await queueApp.start()
  const executionId = await queueApp.enqueue(echo, ['later'], { delayMs: 60_000 })
  const waiting = queueApp.result(executionId, { waitMs: 30_000 })
  await queueApp.result(executionId)
  await queueApp.stop()
  t.match(await waiting, { executionId, status: 'pending', result: null, error: null })
  await t.rejects(queueApp.result(executionId), { code: 'ALREADY_STOPPED' }, 'a call after stop() is refused')
})

t.test('an invalid execution id is refused with what it is', async t => {
  const pending = async () => { throw new Error('it is not read') }
  for (const [id, message] of [
    [undefined, /the id of the execution is undefined: pass the string that enqueue\(\) resolved with$/],
    [Promise.resolve('id'), /the id of the execution is a Promise: await it$/],
    [['id'], /is an array/], [7, /is a number/], ['', /is 1 to 200 printable characters/], ['x'.repeat(201), /is 1 to 200/],
    ['x'.repeat(1e7), /is 1 to 200/], ['a\0', /is 1 to 200/]
  ] as const) {
    await t.rejects(readResult(id as never, pending), { code: 'INVALID_ARGUMENTS', message })
  }
})

async function testResults(t: Test, broker: string, backend: string): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker, backend, namespace: testNamespace() })
  t.teardown(() => queueApp.stop())
  const echo = queueApp.task('echo', async (fails: boolean, value: string) => {
    if (fails) throw new RangeError(value)
    return value
  })
  await queueApp.start()
  await t.rejects(
    queueApp.monitoring.execution(queueApp.enqueue(echo, [false, 'not awaited']) as never),
    { code: 'INVALID_ARGUMENTS', message: /is a Promise: await it$/ }
  )
  const wrong: unknown[] = []
  for (let index = 0; index < CALLS; index++) {
    const [fails, value] = [index % 2 === 1, `value ${index}`]
    const executionId = await queueApp.enqueue(echo, [fails, value])
    const told = await queueApp.result(executionId, { waitMs: 20_000 })
    const isRight = fails
      ? told?.status === 'failed' && told.result === null && told.error?.type === 'RangeError' && told.error.message === value
      : told?.status === 'success' && told.result === value && told.error === null
    if (!isRight) wrong.push(told)
  }
  t.same(wrong, [])
}
