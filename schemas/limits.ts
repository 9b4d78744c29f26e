/*
 * Limits that schemas, the code behind them, its messages and the interface share. Nothing is imported here, so that the interface can take them
 * without the library of the schemas.
 */

/** Text without control characters and unpaired surrogates, which no datastore keeps faithfully. */
export const PRINTABLE = '^[^\\p{Cc}\\p{Cs}]*$'

/** Task names have 1 to so many characters. */
export const TASK_NAME_MAX_LENGTH = 100
/** Beside control characters and unpaired surrogates, separators of lines and paragraphs are refused. Joiners stay: emoji are made with them. */
export const TASK_NAME_PATTERN = '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$'

export const SCHEDULE_ID_MAX_LENGTH = 100
export const EXECUTION_ID_MAX_LENGTH = 200
/** The ledger cuts ids of workers and groups of failures at so many characters: those of other programs are any text. */
export const KEY_MAX_LENGTH = 512

/** Of a search of executions. */
export const SEARCH_MAX_LENGTH = 512

/** Percentiles come from histograms whose bins are so wide. */
export const PERCENTILE_ERROR_PERCENT = 1

/** BullMQ's own. */
export const PRIORITY_MAX = 2_097_151
