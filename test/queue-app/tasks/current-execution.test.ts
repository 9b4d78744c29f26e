import t from 'tap'
import { currentExecution, MAX_LOG_LINE_LENGTH, MAX_LOG_LINES, runWithExecution } from '../../../lib/queue-app/tasks/current-execution.ts'
import type { EngineRun } from '../../../lib/engine/engine.ts'

function createRun(overrides: Partial<EngineRun> = {}): EngineRun {
  return {
    executionId: 'e1', taskName: 'email:send', args: ['ana@example.com', 'Hello'], attempt: 2, wasTaken: true, maxAttempts: 3,
    scheduleId: null, isPlanned: false, dueAt: 0,
    signal: new AbortController().signal, log: async () => {}, progress: async () => {}, ...overrides
  }
}

t.test('a handler receives its arguments and finds its execution across awaits', async t => {
  const seen = await runWithExecution(createRun(), async (...args) => {
    await new Promise(resolve => setImmediate(resolve))
    const { executionId, taskName, attempt, maxAttempts, scheduleId } = currentExecution()
    return { args, executionId, taskName, attempt, maxAttempts, scheduleId }
  })
  t.same(seen, {
    args: ['ana@example.com', 'Hello'], executionId: 'e1', taskName: 'email:send', attempt: 2, maxAttempts: 3, scheduleId: null
  })
})

t.test('outside a handler there is no current execution', async t => {
  t.throws(() => currentExecution(), { code: 'NO_CURRENT_EXECUTION' })
})

t.test('concurrent executions each keep their own', async t => {
  const run = (executionId: string) => runWithExecution(createRun({ executionId }), async () => {
    await new Promise(resolve => setTimeout(resolve, 5))
    return currentExecution().executionId
  })
  t.same(await Promise.all(['a', 'b', 'c'].map(run)), ['a', 'b', 'c'])
})

t.test('logs are limited and never fail a handler', async t => {
  const lines: string[] = []
  await runWithExecution(createRun({ log: async line => { lines.push(line) } }), async () => {
    await currentExecution().log('x'.repeat(MAX_LOG_LINE_LENGTH + 5))
    for (let index = 0; index < MAX_LOG_LINES + 10; index++) await currentExecution().log(`line ${index}`)
  })
  t.equal(lines.length, MAX_LOG_LINES)
  t.equal(lines[0]!.length, MAX_LOG_LINE_LENGTH + 1)
  t.match(lines.at(-1), 'further lines are left out')
  const noText = { toString() { throw new Error('no') } } as unknown as string
  await t.resolves(runWithExecution(createRun(), () => currentExecution().log(noText)))
  await t.resolves(runWithExecution(createRun({ log: async () => { throw new Error('broker away') } }), () => currentExecution().log('a')))
})

t.test('progress may be any JSON value of limited size, and the log says once what was left out', async t => {
  const reported: unknown[] = []
  const lines: string[] = []
  await runWithExecution(createRun({
    progress: async value => { reported.push(value) }, log: async line => { lines.push(line) }
  }), async () => {
    await currentExecution().progress(50)
    await currentExecution().progress({ step: 'b' })
    await currentExecution().progress({ done: new Set() })
    await currentExecution().progress('x'.repeat(70_000))
  })
  await runWithExecution(createRun({ log: async line => { lines.push(line) } }), () => currentExecution().progress('x'.repeat(70_000)))
  t.same(reported, [50, { step: 'b' }])
  t.same(
    lines,
    [
      '(left out: progress.done is a Set, which JSON drops: use [...set])',
      '(left out: progress is larger than 65536 bytes as JSON)'
    ]
  )
})
