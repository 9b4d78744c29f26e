import type { FailureDecisionInput, FailureGroup } from '../../../../schemas/failure.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import type { Write } from '../writing.ts'
import { toFailureGroup } from './to-failure-group.ts'

export type FailureCommands = ReturnType<typeof createFailureCommands>

export function createFailureCommands(operations: Operations, write: Write) {
  return {
    /** Rejects as `Operations.resolveFailureGroup`. */
    async resolve(errorGroup: string, { note }: FailureDecisionInput, by: string | null): Promise<FailureGroup> {
      return toFailureGroup(await write(() => operations.resolveFailureGroup(errorGroup, { by, ...note !== undefined && { note } })))
    },

    /** Rejects as `Operations.reopenFailureGroup`. */
    async reopen(errorGroup: string, { note }: FailureDecisionInput, by: string | null): Promise<FailureGroup> {
      return toFailureGroup(await write(() => operations.reopenFailureGroup(errorGroup, { by, ...note !== undefined && { note } })))
    }
  }
}
