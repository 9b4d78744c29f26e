import type { AuditEntry } from '../../../../schemas/index.ts'
import { auditTexts } from '../../texts/audit.ts'
import type { Mark } from '../executions/status.ts'

export type AuditOutcome = AuditEntry['outcome']

const MARKS: Readonly<Record<AuditOutcome, Mark>> = {
  done: 'success', refused: 'warning', failed: 'failed', unknown: 'unknown', in_progress: 'running'
}

export const AUDIT_OUTCOME_NAMES = Object.keys(MARKS) as readonly AuditOutcome[]

export const AUDIT_ACTIONS: readonly string[] = [
  'tasks:run', 'executions:retry', 'executions:update', 'executions:cancel', 'executions:delete', 'failures:resolve', 'failures:reopen',
  'schedules:create', 'schedules:update', 'schedules:enable', 'schedules:disable', 'schedules:run', 'schedules:delete',
  'queues:pause', 'queues:resume', 'queues:limit',
  'bulk:create', 'bulk:suspend', 'bulk:resume', 'bulk:abort', 'bulk:undo'
]

export function outcomeMark(outcome: AuditOutcome): { readonly mark: Mark; readonly word: string } {
  return { mark: MARKS[outcome], word: auditTexts.outcomes[outcome] }
}

/** An action in words. One that this version does not know stays as it is. */
export function actionWord(action: string): string {
  const words: Readonly<Record<string, string>> = auditTexts.actions
  return Object.hasOwn(words, action) ? words[action]! : action
}
