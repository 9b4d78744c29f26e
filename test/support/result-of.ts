import type { ExecutionResult, QueueApp } from '../../lib/index.ts'
import { waitFor } from './wait-for.ts'

/** The result of an execution. On a busy machine a read may get a 503; the next read tries again. */
export async function resultOf(queueApp: Pick<QueueApp, 'result'>, executionId: string): Promise<ExecutionResult> {
  return await waitFor('the result of an execution', async () => {
    const found = await queueApp.result(executionId)
    return found && (found.status === 'success' || found.status === 'failed') && found
  })
}
