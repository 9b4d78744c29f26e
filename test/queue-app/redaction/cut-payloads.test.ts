import t from 'tap'
import { currentExecution, QueueApp } from '../../../lib/index.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('values over a limit are cut in every view, before and after recording, and the handler gets them whole', async t => {
  await onEveryStore(t, async (t, url) => {
    const queueApp = QueueApp.fromUrls({ broker: url, onError() {} })
    t.teardown(() => queueApp.stop())
    const given: number[] = []
    queueApp.task('work', async (text: string) => {
      given.push(text.length)
      for (let i = 0; i < 800; i++) await currentExecution().log(`line ${i}`)
      throw Object.assign(new Error('no'), {
        stack: `Error: no\n    at one (/app/one.js:1:1)${'\n    at two (/app/two.js:1:1)'.repeat(2_000)}`
      })
    }, { retries: 1, retryDelay: 0 })
    queueApp.task('large', async () => 'x'.repeat(100_000))
    let ran = 0
    queueApp.task('mapped', async () => {
      ran++
      return { tags: new Map([['a', 1]]) }
    }, { retries: 3 })
    queueApp.task('dated', async () => ({ at: new Date('2026-11-20T09:00:00Z') }))
    await queueApp.start()

    const later = await queueApp.enqueue('work', ['x'.repeat(1024 * 1024)], { delayMs: 3_600_000 })
    const pending = await queueApp.monitoring.execution(later)
    t.match(pending, { status: 'pending', truncated: ['/args'] })
    t.equal(String(pending!.args![0]).length, 8_192)

    const id = await queueApp.enqueue('work', ['x'.repeat(1024 * 1024)])
    const finished = await waitFor('the record', async () => {
      const found = await queueApp.monitoring.execution(id)
      return found?.status === 'failed' && found
    })
    t.strictSame(given, [1024 * 1024, 1024 * 1024])
    const recorded = await waitFor('the ledger', async () => {
      const { executions } = await queueApp.monitoring.executions({ status: 'failed' })
      return executions.length === 1 && await queueApp.monitoring.execution(id)
    })
    for (const shown of [finished, recorded]) {
      for (const field of ['/args', '/logs', '/error/stack', '/attempts/0/error/stack'])
        t.ok(shown.truncated.includes(field), `${field} of ${shown.truncated.join()}`)
      t.equal(shown.error!.stack!.length, 32_768)
      t.equal(shown.logs.length, 1_000)
      t.equal(shown.logs.at(-1), 'line 799')
    }
    const large = await queueApp.enqueue('large')
    t.match(
      await queueApp.result(large, { waitMs: 20_000 }),
      { status: 'success', result: null, resultProblem: 'result is larger than 65536 bytes as JSON; its beginning is kept' },
      'the start of a value is not a result'
    )

    const dated = await queueApp.enqueue('dated')
    t.match(await queueApp.result(dated, { waitMs: 20_000 }), {
      status: 'success', result: { at: '2026-11-20T09:00:00.000Z' }, resultProblem: null
    })
    const mapped = await queueApp.enqueue('mapped')
    t.match(await queueApp.result(mapped, { waitMs: 20_000 }), {
      status: 'success', result: null, resultProblem: /^result\.tags is a Map, which JSON drops/
    })
    const shown = await waitFor('the record of both', async () => {
      const { executions } = await queueApp.monitoring.executions({ status: 'success' })
      return executions.length === 3 && await queueApp.monitoring.execution(mapped)
    })
    t.match(shown, { result: null, truncated: ['/result'], resultProblem: /^result\.tags is a Map/, error: null }, 'the ledger agrees')
    t.match(await queueApp.monitoring.execution(large), { truncated: ['/result'], resultProblem: /its beginning is kept/ })
    t.strictSame([ran, (await queueApp.monitoring.execution(mapped))?.attempt], [1, 1], 'nothing was retried')
  })
})
