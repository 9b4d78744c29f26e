import { DAY_MS, HOUR_MS } from './units.ts'

/*
 * Limits shared by the schemas, the code, its messages and the interface. This file imports only units of time, so the interface can use
 * it without the schema library.
 */

/** Text without control characters and unpaired surrogates, which datastores do not preserve. */
export const PRINTABLE = '^[^\\p{Cc}\\p{Cs}]*$'

/** Maximum length of a task name, in characters. */
export const MAX_TASK_NAME_LENGTH = 100
/** A queue is named after its task, with up to twelve characters for one, such as an emoji. */
export const MAX_QUEUE_NAME_LENGTH = MAX_TASK_NAME_LENGTH * 12
/**
 * Refuses control characters, unpaired surrogates, and line and paragraph separators. Joiners are allowed, because emoji need them.
 */
export const TASK_NAME_PATTERN = '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$'

export const MAX_SCHEDULE_ID_LENGTH = 100
export const MAX_EXECUTION_ID_LENGTH = 200
/** The history cuts worker ids and failure groups at this many characters, because other programs may write any text there. */
export const MAX_KEY_LENGTH = 512

/** Maximum length of an execution search, in characters. */
export const MAX_SEARCH_LENGTH = 512

/** Width of the histogram bins that percentiles come from, in percent. */
export const PERCENTILE_ERROR_PERCENT = 1

/** Most positional arguments that a request may send, and their size as JSON. */
export const MAX_ARGS = 100
export const MAX_ARGS_BYTES = 64 * 1024

/** Maximum length of a reason that a person gives for an action, in characters. */
export const MAX_ACTION_REASON_LENGTH = 500
/** How far ahead the end of a queue's pause may be. */
export const MAX_PAUSE_MS = 30 * DAY_MS

/** A bulk operation ends after this many items. */
export const MAX_BULK_ITEMS = 1_000_000
/** Bulk operations that are kept, and of these, how many may be unfinished. */
export const MAX_BULK_OPERATIONS = 1_000
export const MAX_OPEN_BULK_OPERATIONS = 50
/** Items per second. */
export const MAX_BULK_RATE = 100_000
export const MAX_BULK_ID_LENGTH = 64
export const MAX_BULK_TOKEN_LENGTH = 200
/** The most executions that the filter of a bulk operation can name. */
export const MAX_BULK_EXECUTIONS = 200
/** The most executions that a dry run shows. */
export const MAX_BULK_SAMPLE = 10

/** Maximum length of a note on a failure group, in characters. */
export const MAX_NOTE_LENGTH = 1_000
/** Text in lines, without control characters, unpaired surrogates, or characters that change the direction of text. */
export const PRINTABLE_LINES = '^(?:\\n|[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069])*$'

/** Maximum length of a user's label, a name and an id, in characters. */
export const MAX_ACTOR_LENGTH = 500

export const MAX_DELAY_MS = 365 * DAY_MS
/** The longest minimum duration that a filter of executions takes. */
export const MAX_DURATION_FILTER_MS = 365 * DAY_MS

/** The longest time between two runs of a schedule with an interval. */
export const MAX_INTERVAL_MS = 365 * DAY_MS
/** The longest random delay of a schedule's run. */
export const MAX_JITTER_MS = HOUR_MS

/** A failure group lists this many tasks: those with the most failures. */
export const MAX_TASKS_PER_GROUP = 20

/** Replaces removed values. */
export const REDACTED = '[redacted]'
/** Replaces a field for which the option `redact.with` failed. */
export const REDACTION_FAILED = '[redaction failed]'

/** BullMQ's limit. */
export const MAX_PRIORITY = 2_097_151

/** The highest live limit on executions at once over all workers of a queue. */
export const MAX_LIVE_CONCURRENCY = 100_000
/** The most starts that a rate limit may allow in its window, and the longest window. */
export const MAX_RATE = 1_000_000
export const MAX_RATE_WINDOW_MS = DAY_MS

/** The most children to list of a job in a flow of an existing queue. */
export const MAX_CHILDREN_LISTED = 50
