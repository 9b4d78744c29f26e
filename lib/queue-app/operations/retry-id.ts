import { hash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { timeOfExecutionId } from '../monitoring/executions/execution-id.ts'

/**
 * The id of the retry of an execution, always the same one. So two people who retry it at once create one execution, however many processes
 * answer them. A UUID of version 7 like all others, with the time of the original.
 */
export function retryIdOf(executionId: string): string {
  // A list needs it for each failed execution, and `createHash` takes more than twice as long.
  const digest = Buffer.from(hash('sha256', `retry of ${executionId}`, 'hex'), 'hex')
  return uuid({ msecs: timeOfExecutionId(executionId) ?? 0, seq: digest.readUInt32BE(16) & 0x7fffffff, random: digest.subarray(0, 16) })
}
