import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { timeOfExecutionId } from '../monitoring/executions/execution-id.ts'

/**
 * The id of the retry of an execution, always the same one. So two people who retry it at once create one execution, however many processes
 * answer them. A UUID of version 7 like all others, with the time of the original.
 */
export function retryIdOf(executionId: string): string {
  const hash = createHash('sha256').update(`retry of ${executionId}`).digest()
  return uuid({ msecs: timeOfExecutionId(executionId) ?? 0, seq: hash.readUInt32BE(16) & 0x7fffffff, random: hash.subarray(0, 16) })
}
