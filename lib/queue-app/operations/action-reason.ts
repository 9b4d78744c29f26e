import { MAX_ACTION_REASON_LENGTH } from '../../../schemas/limits.ts'
import { toStorableText } from '../../engine/jobs/storable.ts'
import { invalidInput } from '../../errors.ts'

/** Returns the reason as storable text; null if there is none or it has only spaces. Throws INVALID_INPUT. */
export function checkReason(reason: string | undefined): string | null {
  if (reason === undefined) return null
  if (typeof reason === 'string' && reason.length <= MAX_ACTION_REASON_LENGTH)
    return reason.trim() === '' ? null : toStorableText(reason, MAX_ACTION_REASON_LENGTH)
  throw invalidInput('/reason', `must be text of at most ${MAX_ACTION_REASON_LENGTH} characters`)
}
