import { MAX_ACTION_REASON_LENGTH } from '../../../../schemas/limits.ts'
import { actionTexts } from '../../texts/actions.ts'

/** As the server refuses it: control characters, bidirectional overrides and unpaired surrogates. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** The reason to send; undefined if there is none. */
export function reasonFrom(text: string): string | undefined {
  return text.trim() || undefined
}

/** What is wrong with it, in words; null if it can be sent, and while nothing is typed. */
export function reasonProblem(text: string): string | null {
  const reason = text.trim()
  if (reason.length > MAX_ACTION_REASON_LENGTH) return actionTexts.reasonTooLong(MAX_ACTION_REASON_LENGTH)
  return UNPRINTABLE.test(reason) ? actionTexts.reasonUnprintable : null
}

export function isReasonReady(text: string, isRequired: boolean): boolean {
  return reasonProblem(text) === null && (!isRequired || reasonFrom(text) !== undefined)
}
