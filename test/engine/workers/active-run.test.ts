import type { Job } from 'bullmq'
import t from 'tap'
import { ActiveRun, ActiveRuns } from '../../../lib/engine/workers/active-run.ts'

t.test('the active runs are those added and not removed, in any order', async t => {
  const runs = new ActiveRuns()
  const [first, second, third] = [createRun('1'), createRun('2'), createRun('3')]
  for (const run of [first, second, third]) runs.add(run)
  runs.delete(first)
  t.same(idsOf(runs), ['2', '3'])
  runs.delete(third)
  t.same(idsOf(runs), ['2'])
  runs.add(first)
  runs.delete(second)
  t.same(idsOf(runs), ['1'])
  runs.delete(first)
  t.equal(runs.size, 0)
})

t.test('a signal that is first read after the end is already aborted with the reason', async t => {
  const run = createRun('1')
  run.handBack()
  t.equal(run.signal.aborted, true)
  t.match(run.signal.reason, { code: 'EXECUTION_ABORTED' })
  await t.rejects(
    run.outcomeOf(new Promise(() => {})).catch(reason => { throw new Error(String(reason)) }), { message: 'Symbol(handed back)' }
  )
})

function createRun(id: string): ActiveRun {
  return new ActiveRun({ id, name: 'task', data: { args: '[]' }, opts: {}, timestamp: 0, attemptsMade: 0 } as unknown as Job, null)
}

function idsOf(runs: ActiveRuns): string[] {
  return runs.all().map(run => run.executionId).sort()
}
