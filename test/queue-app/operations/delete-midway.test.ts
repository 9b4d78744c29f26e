import t from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import { createDeleteExecutions } from '../../../lib/queue-app/operations/delete-execution.ts'

const EXECUTION = { executionId: 'e-1', taskName: 'a', status: 'failed', finishedAt: 1 } as const

/** Deletes an execution that the history has, on stores that respond as given. */
function deleted(removeFinished: () => Promise<number>, deleteExecutions: () => Promise<string[]>): Promise<string[]> {
  return createDeleteExecutions({
    engine: { removeFinished, async * readFinished() {} },
    backend: { missing: async () => [], record: async () => 0, deleteExecutions }
  })([EXECUTION])
}

const away = (code: 'BROKER_UNAVAILABLE' | 'BACKEND_UNAVAILABLE', cause: Error) => async (): Promise<never> => {
  throw createTaskDashboardError(code, [], { cause })
}
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const silent = new Error('no answer')

t.test('a deletion that fails midway does not claim that nothing was changed', async t => {
  t.strictSame(await deleted(async () => 1, async () => ['e-1']), ['e-1'])
  const unreachable = away('BACKEND_UNAVAILABLE', refused)
  await t.rejects(deleted(async () => 1, unreachable), { code: 'UNCONFIRMED' }, 'the broker has it no longer')
  await t.rejects(deleted(async () => 0, unreachable), { code: 'BACKEND_UNAVAILABLE' }, 'the broker did not have it')
  await t.rejects(deleted(away('BROKER_UNAVAILABLE', silent), async () => []), { code: 'UNCONFIRMED' }, 'the broker may have removed it')
  await t.rejects(deleted(away('BROKER_UNAVAILABLE', refused), async () => []), { code: 'BROKER_UNAVAILABLE' }, 'it was never asked')
})
