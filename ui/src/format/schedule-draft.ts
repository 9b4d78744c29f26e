import type { CronScheduleInput, IntervalScheduleInput } from '../../../schemas/index.ts'
import type { Call } from './snippet.ts'

/** What is typed into the form of a new schedule. */
export interface ScheduleDraft {
  readonly taskName: string
  readonly timing: 'cron' | 'interval'
  readonly cron: string
  readonly everySeconds: string
  readonly timezone: string
  readonly description: string
  readonly args: string
  readonly isEnabled: boolean
  readonly priority: string
  readonly overlap: 'allow' | 'skip'
}

export const emptyDraft: ScheduleDraft = {
  taskName: '', timing: 'cron', cron: '0 9 * * 1-5', everySeconds: '300', timezone: 'UTC', description: '', args: '', isEnabled: true, priority: '0', overlap: 'allow'
}

export type DraftProblems = Partial<Record<keyof ScheduleDraft, string>>

const PRIORITY_MAX = 2_097_151
const INTERVAL_MAX_SECONDS = 31_536_000

/** The call that creates it, with nothing in it that is the default anyway; null while a field is not valid. */
export function toScheduleCall(draft: ScheduleDraft): { call: Call | null; problems: DraftProblems } {
  const problems: DraftProblems = {}
  if (!draft.taskName) problems.taskName = 'Pick a task'
  const cron = draft.cron.trim()
  if (draft.timing === 'cron' && cron.split(/\s+/).length !== 5) problems.cron = 'Five fields: minute, hour, day of month, month, day of week'
  const seconds = Number(draft.everySeconds)
  if (draft.timing === 'interval' && !(seconds >= 1 && seconds <= INTERVAL_MAX_SECONDS)) problems.everySeconds = 'From 1 second to one year'
  const priority = Number(draft.priority)
  if (!Number.isInteger(priority) || priority < 0 || priority > PRIORITY_MAX) problems.priority = `A whole number from 0 to ${PRIORITY_MAX}`
  const args = parseArgs(draft.args)
  if (!args) problems.args = 'A JSON array, for example ["daily", 30]'
  if (Object.keys(problems).length > 0) return { call: null, problems }

  const common = {
    ...(draft.timezone && draft.timezone !== 'UTC' ? { timezone: draft.timezone } : {}),
    ...(draft.description.trim() ? { description: draft.description.trim() } : {}),
    ...(args && args.length > 0 ? { args } : {}),
    ...(draft.isEnabled ? {} : { enabled: false }),
    ...(priority === 0 ? {} : { priority }),
    ...(draft.overlap === 'allow' ? {} : { overlap: draft.overlap })
  }
  const call: Call = draft.timing === 'cron'
    ? { method: 'POST', path: 'api/schedules/cron', body: { task_name: draft.taskName, cron, ...common } satisfies CronScheduleInput }
    : { method: 'POST', path: 'api/schedules/interval', body: { task_name: draft.taskName, interval_ms: Math.round(seconds * 1000), ...common } satisfies IntervalScheduleInput }
  return { call, problems }
}

function parseArgs(text: string): unknown[] | null {
  if (text.trim() === '') return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : null
  } catch {
    return null
  }
}
