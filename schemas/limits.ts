/*
 * Limits that schemas, the code behind them, its messages and the interface share. Nothing is imported here, so that the interface can take
 * them without the library of the schemas.
 */

/** Text without control characters and unpaired surrogates, which no datastore keeps faithfully. */
export const PRINTABLE = '^[^\\p{Cc}\\p{Cs}]*$'

/** Task names have 1 to so many characters. */
export const MAX_TASK_NAME_LENGTH = 100
/**
 * Beside control characters and unpaired surrogates, separators of lines and paragraphs are refused. Joiners stay: emoji are made with
 * them.
 */
export const TASK_NAME_PATTERN = '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$'

export const MAX_SCHEDULE_ID_LENGTH = 100
export const MAX_EXECUTION_ID_LENGTH = 200
/** The ledger cuts ids of workers and groups of failures at so many characters: those of other programs are any text. */
export const MAX_KEY_LENGTH = 512

/** Of a search of executions. */
export const MAX_SEARCH_LENGTH = 512

/** Percentiles come from histograms whose bins are so wide. */
export const PERCENTILE_ERROR_PERCENT = 1

/** BullMQ's own. */
export const MAX_PRIORITY = 2_097_151
