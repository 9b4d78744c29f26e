import { createTaskDashboardError, isDefect, isTaskDashboardError } from '../../errors.ts'
import { unavailable } from '../../stores/failures/failed-call.ts'
import { mayHaveHappened } from '../../stores/failures/may-have-happened.ts'

/**
 * For the one step of a write that makes it happen. Rejects with BROKER_UNAVAILABLE when nothing of it happened or will, and with
 * UNCONFIRMED when no answer came: what was sent may have been carried out, or may yet be. With STORE_REFUSED when waiting does not help.
 */
export async function confirmed<Result>(commit: () => Promise<Result>): Promise<Result> {
  try {
    return await commit()
  } catch (error) {
    if (isDefect(error) || (isTaskDashboardError(error) && error.code !== 'BROKER_UNAVAILABLE')) throw error
    const cause = isTaskDashboardError(error) ? error.cause : error
    const failure = unavailable(cause, 'broker')
    throw failure.code === 'BROKER_UNAVAILABLE' && mayHaveHappened(cause) ? createTaskDashboardError('UNCONFIRMED', [], { cause }) : failure
  }
}
