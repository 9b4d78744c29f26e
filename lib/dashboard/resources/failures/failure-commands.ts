import type { FailureDecisionInput, FailureGroup, FailureResolveInput } from '../../../../schemas/failure.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import { instantFrom } from '../instant.ts'
import type { Write } from '../writing.ts'
import { toFailureGroup } from './to-failure-group.ts'

export type FailureCommands = ReturnType<typeof createFailureCommands>

export function createFailureCommands(operations: Operations, write: Write) {
  return {
    /** Rejects as `Operations.resolveFailureGroup`. */
    async resolve(
      errorGroup: string, { note, if_last_seen_at: lastSeenAt }: FailureResolveInput, by: string | null
    ): Promise<FailureGroup> {
      const options = {
        by, ...note !== undefined && { note },
        ...lastSeenAt !== undefined && { ifLastSeenAt: instantFrom(lastSeenAt, 'if_last_seen_at') }
      }
      return toFailureGroup(await write(() => operations.resolveFailureGroup(errorGroup, options)))
    },

    /** Rejects as `Operations.reopenFailureGroup`. */
    async reopen(errorGroup: string, { note }: FailureDecisionInput, by: string | null): Promise<FailureGroup> {
      return toFailureGroup(await write(() => operations.reopenFailureGroup(errorGroup, { by, ...note !== undefined && { note } })))
    }
  }
}
