import { MAX_ACTION_REASON_LENGTH, MAX_NOTE_LENGTH, PRINTABLE_LINES } from '../../../../schemas/limits.ts'
import { actionTexts } from '../../texts/actions.ts'

/** As the server checks it. */
const TEXT = new RegExp(PRINTABLE_LINES, 'u')

/** The reason to send; undefined if there is none. */
export function reasonFrom(text: string): string | undefined {
  return text.trim() || undefined
}

/** What is wrong with a reason, in words; null if it can be sent, or is empty. */
export function reasonProblem(text: string): string | null {
  return problemOf(text.trim(), MAX_ACTION_REASON_LENGTH)
}

/** The same for a note on a failure group. */
export function noteProblem(text: string): string | null {
  return problemOf(text.trim(), MAX_NOTE_LENGTH)
}

function problemOf(text: string, maxLength: number): string | null {
  if (text.length > maxLength) return actionTexts.reasonTooLong(maxLength)
  return TEXT.test(text) ? null : actionTexts.reasonUnprintable
}

export function isReasonReady(text: string, isRequired: boolean): boolean {
  return reasonProblem(text) === null && (!isRequired || reasonFrom(text) !== undefined)
}
