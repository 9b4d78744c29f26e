import { toLedgerEntry } from '../../lib/backend/entry/ledger-entry.ts'
import { errorGroupOf } from '../../lib/backend/fingerprint/fingerprint.ts'
import { LIMITS, cutFailure, cutJson, cutLogs, toJson } from '../../lib/backend/entry/limits.ts'
import { normalizeMessage } from '../../lib/backend/fingerprint/normalize-message.ts'
import { topOwnFrame } from '../../lib/backend/fingerprint/own-frame.ts'
import { packId } from '../../lib/backend/redis/packed-id.ts'
import { completeSearch } from '../../lib/backend/search/complete-search.ts'
import { parseSearch } from '../../lib/backend/search/parse-search.ts'
import { readTerms } from '../../lib/backend/search/search-terms.ts'
import { durationMsFrom, instantMsFrom } from '../../lib/backend/search/search-times.ts'
import { matchesText, searchableOf } from '../../lib/backend/search/searchable.ts'
import { wordsOf } from '../../lib/backend/search/words.ts'
import { toSearchVector } from '../../lib/backend/postgres/search-text.ts'
import { estimateBytes } from '../../lib/backend/entry/estimate-bytes.ts'
import { isSpeltAs, parameterOf, pathOf, segmentsOf } from '../../lib/dashboard/http/routes/address.ts'
import { versionFrom } from '../../lib/dashboard/http/etag.ts'
import { forwardedHostOf, forwardedPrefixOf } from '../../lib/dashboard/http/forwarding-headers.ts'
import { linkToNext } from '../../lib/dashboard/http/routes/links.ts'
import { isLocal } from '../../lib/dashboard/access/is-local.ts'
import { isSameSite } from '../../lib/dashboard/access/is-same-site.ts'
import { baseOf } from '../../lib/dashboard/interface/page.ts'
import { positionFrom } from '../../lib/dashboard/resources/schedules/schedule-cursor.ts'
import { deduplicationIdIn, placesIn, traceFrom } from '../../lib/engine/observing/relations/job-facts.ts'
import { failureFromError, failureFromStack, isLost, toAttemptError } from '../../lib/engine/jobs/attempt-error.ts'
import { decodeCursor } from '../../lib/engine/in-flight/in-flight-cursor.ts'
import { taskFromQueueName } from '../../lib/engine/jobs/queue-name.ts'
import { nextRunAt } from '../../lib/engine/schedulers/schedulers.ts'
import { toStorableText } from '../../lib/engine/jobs/storable.ts'
import { isTransientError } from '../../lib/engine/connection/transient-error.ts'
import { matchedPrefix, normalizePrefix, pathBelow } from '../../lib/hosts/paths/mount-path.ts'
import { timeOfExecutionId } from '../../lib/queue-app/monitoring/executions/execution-id.ts'
import { overlapAtEnd, replaceText } from '../../lib/queue-app/redaction/replace-text.ts'
import { taskNameProblem } from '../../lib/queue-app/tasks/task.ts'
import { parseCron } from '../../lib/scheduler/timing/cron.ts'
import { describeCron } from '../../lib/scheduler/timing/describe-timing.ts'
import { toScheduleDefinition } from '../../lib/scheduler/definitions/schedule-input.ts'
import { checkTimezone } from '../../lib/scheduler/timing/time-zone.ts'
import { failureReason } from '../../lib/stores/failures/failure-reason.ts'
import { mayHaveHappened } from '../../lib/stores/failures/may-have-happened.ts'
import { parseStoreSource } from '../../lib/stores/source/parse-store-source.ts'
import { MAX_SEARCH_LENGTH } from '../../schemas/index.ts'
import { makeExecution } from '../backend/make-execution.ts'

/** Node limits headers and URLs to less than this together, unless a host allows more. */
const MAX_HEADERS = 64 * 1024
const KNOWN = { tasks: [], schedules: [], workers: [], groups: [], errors: [] }
const thrown = (text: string): Error => Object.assign(new Error(text), { name: text, stack: text, code: text })
const raw = (headers: Record<string, string>) => ({ url: '/', headers, socket: { remoteAddress: '127.0.0.1' } }) as never
const cut = (text: string): string => text.slice(0, MAX_HEADERS)
const failure = (text: string) => ({ type: text, message: text, stack: text })

/** Every function that reads text chosen by others, with the longest text it can get. Throwing counts as a result. */
export const TEXT_READERS: Record<string, (text: string) => unknown> = {
  errorGroupOf: text => errorGroupOf(failure(text)),
  'errorGroupOf, a frame': text => errorGroupOf({ type: 'Error', message: 'x', stack: `Error: x\n    at ${text}` }),
  normalizeMessage,
  topOwnFrame,
  'topOwnFrame, a location': text => topOwnFrame(`\n    at f (${text}:1:2)`),
  cutFailure: text => cutFailure(failure(text)),
  cutLogs: text => cutLogs([text]),
  cutJson: text => cutJson(text, LIMITS.argsBytes),
  'cutJson, inside': text => cutJson([{ text }, [text]], LIMITS.argsBytes),
  'toLedgerEntry, arguments': text => toLedgerEntry(makeExecution({ args: [text], progress: text })),
  'toLedgerEntry, a result': text => toLedgerEntry(makeExecution({ result: { text } })),
  'toLedgerEntry, an error': text => toLedgerEntry(makeExecution({ status: 'failed', error: failure(text), logs: [text] })),
  packId: text => packId(text.slice(0, LIMITS.keyCharacters)),
  estimateBytes: text => estimateBytes(makeExecution({ args: [text], error: failure(text) })),
  completeSearch: text => completeSearch(text, text.length, KNOWN as never),
  parseSearch: text => parseSearch(text, 0),
  readTerms: text => readTerms(text.slice(0, MAX_SEARCH_LENGTH)),
  'readTerms, one in quotes': text => readTerms(`"${text.slice(0, MAX_SEARCH_LENGTH)}"`),
  durationMsFrom: text => durationMsFrom(text.slice(0, MAX_SEARCH_LENGTH)),
  instantMsFrom: text => instantMsFrom(text.slice(0, MAX_SEARCH_LENGTH), 0),
  wordsOf: text => wordsOf(text, 1_000),
  'matchesText and toSearchVector': text => {
    const searchable = searchableOf({ executionId: 'x', taskName: text, error: failure(text) }, [text])
    return [matchesText(searchable, [{ in: 'any', words: ['never'] } as never]), toSearchVector(searchable)]
  },
  parseCron: text => parseCron(text, 'UTC'),
  describeCron,
  checkTimezone,
  toScheduleDefinition: text =>
    toScheduleDefinition({ taskName: text, timing: { cron: text, timezone: text }, description: text, args: [] }),
  nextRunAt: text => nextRunAt(0, { pattern: text }),
  pathOf: text => pathOf(cut(text)),
  segmentsOf: text => segmentsOf(pathOf(cut(text))),
  isSpeltAs: text => isSpeltAs(cut(text), '/tasks/api/executions/:id', '/tasks'),
  parameterOf: text => parameterOf(cut(text), '/tasks/api/executions/:id', 'retry'),
  baseOf: text => baseOf({ url: cut(text), originalUrl: cut(text), prefix: '/tasks' }),
  linkToNext: text => linkToNext(`/tasks?${cut(text)}`, 'x'),
  versionFrom: text => versionFrom(cut(text)),
  forwarded: text => [forwardedPrefixOf({ 'x-forwarded-prefix': cut(text) }), forwardedHostOf({ 'x-forwarded-host': cut(text) })],
  isLocal: text => isLocal(raw({ host: cut(text), origin: cut(text) })),
  isSameSite: text => isSameSite(raw({ host: cut(text), origin: cut(text), referer: cut(text) })),
  positionFrom,
  pathBelow: text => pathBelow(cut(text), '/tasks'),
  normalizePrefix,
  matchedPrefix: text => matchedPrefix(cut(text), '/a/:b/*'),
  toAttemptError: text => toAttemptError(thrown(text)),
  failureFromError: text => failureFromError(toAttemptError(thrown(text))),
  failureFromStack: text => failureFromStack(text, text),
  'failureFromStack, another message': text => failureFromStack(`Error: ${text}\n    at x`, text.slice(1)),
  isLost,
  decodeCursor,
  placesIn,
  traceFrom: text => [traceFrom({ tm: text }), traceFrom({ tm: JSON.stringify({ traceparent: text.slice(0, 8_000) }) })],
  deduplicationIdIn: text => deduplicationIdIn({ de: { id: text } }),
  taskFromQueueName: text => taskFromQueueName(text.slice(0, LIMITS.keyCharacters)),
  toStorableText: text => toStorableText(text, LIMITS.stackCharacters),
  isTransientError: text => isTransientError(thrown(text)),
  mayHaveHappened: text => mayHaveHappened(thrown(text)),
  failureReason: text => failureReason(thrown(text)),
  parseStoreSource: text => parseStoreSource(text, 'broker'),
  timeOfExecutionId,
  taskNameProblem,
  'replaceText, a short one': text => replaceText(text, text.slice(0, 64), 'x'),
  'replaceText, a long one in half a megabyte': text => replaceText(text.slice(0, 500_000), text.slice(0, 5_000), 'x'),
  overlapAtEnd: text => overlapAtEnd(text, text.slice(0, 5_000)),
  toJson: text => toJson(text.slice(0, LIMITS.argsBytes))
}
