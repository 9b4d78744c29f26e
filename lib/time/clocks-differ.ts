import { MINUTE_MS } from './units.ts'

/** The clocks of two machines may differ by this much. A clock that differs by more is wrong. */
export const MAX_CLOCKS_DIFFER_MS = MINUTE_MS
