import { MAX_TASK_NAME_LENGTH } from '../../../schemas/limits.ts'
import { countedNoun } from '../../collections/counted-noun.ts'
import { firstOf } from '../../collections/first-of.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../../errors.ts'
import { failureReason } from '../../stores/failures/failure-reason.ts'
import { storeRefusalOf } from '../../stores/failures/store-refusal.ts'
import { isDefect } from '../../stores/failures/unavailable.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { FoundQueues, ObservedServer } from './observed-server.ts'

// Texts for the health check and for errors, about queues that are not shown.

interface Source { readonly server: Pick<ObservedServer, 'label'>; readonly prefix: string }

const MAX_NAMED = 5

export function absentText({ server, prefix }: Source, queues: readonly ObservedQueue[]): string {
  return `There is no queue ${namesOf(queues)} under the prefix ${JSON.stringify(prefix)} at ${server.label} yet`
}

export function mayNotReadText(label: string, queues: readonly ObservedQueue[], reason: string): string {
  return `Queues are not shown because the user at ${label} may not read them: ${placesOf(queues)} (${reason}). ${GRANT}`
}

/** The error if the user may read none of the queues. */
export function mayNotRead(label: string, queues: readonly ObservedQueue[], reason: string): Error {
  const text = `the queues ${placesOf(queues)} may not be read: ${reason}. ${GRANT}`
  return createTaskDashboardError('STORE_UNSUITABLE', ['broker', label, text])
}

/** Why the server refuses a read. The user may lack the rights to some queues only. Rethrows an error that is not a refusal. */
export function refusedBecause(error: unknown): string {
  const refusal = storeRefusalOf(error)
  if (refusal === null) throw error
  return refusal.reason
}

/** The error with which `start` rejects if no server could be searched. */
export function notLookedAt(label: string, error: unknown): unknown {
  return isTaskDashboardError(error) || isDefect(error)
    ? error
    : createTaskDashboardError('STORE_UNREACHABLE', ['broker', label, failureReason(error)], { cause: error })
}

export const RIGHT_TAKEN_AWAY = 'the right was taken away'
const GRANT = 'Give the user the rights in docs/existing-queues.md'

export function namesText(label: string, count: number): string {
  const which = `${countedNoun(count, 'queue')} at ${label} ${count === 1 ? 'has a name' : 'have names'}`
  return `${which} that cannot be shown: over ${MAX_TASK_NAME_LENGTH} characters, or unprintable`
}

export function fullText(label: string, shown: number): string {
  const which = `${countedNoun(shown, 'queue')} at ${label} ${shown === 1 ? 'is' : 'are'}`
  return `Only ${which} shown, and there may be more: name those that you need in \`queues\``
}

const MAX_LEFT_OUT_NAMED = 3

export function leftOutText(queues: readonly ObservedQueue[]): string {
  const named = firstOf(queues.map(({ taskName, server }) => `${JSON.stringify(taskName)} at ${server.label}`), MAX_LEFT_OUT_NAMED)
  return `Existing queues are not shown because tasks of this app have their names: ${named}. Give their source a \`label\``
}

const MAX_PREFIXES_NAMED = 3

export function nothingFoundText({ server, prefix }: Source, byPrefix: FoundQueues['byPrefix'] | undefined): string {
  const others = [...byPrefix ?? []].sort(([, one], [, other]) => other.size - one.size).slice(0, MAX_PREFIXES_NAMED)
    .map(([name, queues]) => `${queues.size} under ${JSON.stringify(name)}`)
  const nothing = `There is no queue under the prefix ${JSON.stringify(prefix)} at ${server.label}`
  return others.length === 0
    ? `${nothing}, nor under any other: is it the right server and database?`
    : `${nothing}, but ${others.join(', ')}: set \`prefix\``
}

function namesOf(queues: readonly ObservedQueue[]): string {
  return firstOf(queues.map(({ name }) => JSON.stringify(name)), MAX_NAMED)
}

/** With the prefix, because several sources may have queues of the same name. */
function placesOf(queues: readonly ObservedQueue[]): string {
  return firstOf(queues.map(({ prefix, name }) => JSON.stringify(`${prefix}:${name}`)), MAX_NAMED)
}
