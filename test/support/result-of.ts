import type { ExecutionResult, QueueApp } from '../../lib/index.ts'
import { waitFor } from './wait-for.ts'

/** What came of an execution. A busy machine may answer a look with a 503; that is one look less. */
export async function resultOf(queueApp: Pick<QueueApp, 'result'>, executionId: string): Promise<ExecutionResult> {
  return await waitFor('the result of an execution', async () => {
    const found = await queueApp.result(executionId)
    return found && (found.status === 'success' || found.status === 'failed') && found
  })
}
