import { countedNoun } from '../../../collections/counted-noun.ts'
import type { Gap, LastCounts } from './gap.ts'

/** A gap as a sentence without a full stop. */
export function sayGap(taskName: string, { events, from, to, cause, had }: Gap): string {
  const when = `between ${new Date(from).toISOString()} and ${new Date(to).toISOString()}`
  const missing = 'executions that finished then may be missing'
  if (cause === 'emptied') {
    return `The queue ${taskName} was removed from its server, or the server was flushed, ${when}: ${missing}` +
      (had === undefined ? '' : sayCounts(had))
  }
  if (cause === 'went back') return `The server lost events of the queue ${taskName} that it had before, ${when}: ${missing}`
  if (cause === 'replaced') return `Another server took over the queue ${taskName}, ${when}: ${missing}`
  const some = `${events === null ? 'An unknown number of events' : countedNoun(events, 'event')} of the queue ${taskName}`
  return `${some} ${events === 1 ? 'was removed before it' : 'were removed before they'} could be read, ${when}: ${missing}`
}

/** The rest of a list of gaps, which may have several causes. */
export function saySameGap(count: number): string {
  return `executions may also be missing of ${countedNoun(count, 'other queue')}`
}

/** Why lost events of some queues go unnoticed. */
export function sayBlindness(taskName: string, others: number, reason: string): string {
  const queues = `the queue ${taskName}${others === 0 ? '' : ` and of ${countedNoun(others, 'other')}`}`
  return `Lost events of ${queues} go unnoticed (${reason})`
}

/** Only what was there is worth a word. */
function sayCounts({ waiting, running, schedules, at }: LastCounts): string {
  const counts = [[waiting, 'waiting'], [running, 'running'], [schedules, 'schedules']] as const
  const texts = counts.flatMap(([count, what]) => count === null || count === 0 ? [] : [`${what}: ${count}`])
  return texts.length === 0 ? '' : `. At the last check, ${new Date(at).toISOString()}, it had ${texts.join(', ')}`
}
