import { hash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { timeOfExecutionId } from '../monitoring/executions/execution-id.ts'

/**
 * The id of the retry of an execution, which is always the same. So if two people retry it at once, only one execution is created, however
 * many processes serve them. It is a UUID of version 7 like all others, with the time of the original.
 */
export function retryIdOf(executionId: string): string {
  // A list needs this id for each failed execution, and `createHash` takes more than twice as long.
  const digest = Buffer.from(hash('sha256', `retry of ${executionId}`, 'hex'), 'hex')
  return uuid({ msecs: timeOfExecutionId(executionId) ?? 0, seq: digest.readUInt32BE(16) & 0x7fffffff, random: digest.subarray(0, 16) })
}
