import { MINUTE_MS, SECOND_MS } from './units.ts'

/**
 * How long each layer waits for the layer below, side by side. A budget is shorter than the one around it, so that the layer that knows
 * why it took so long is the one that answers. test/time/budgets.test.ts checks that they nest.
 */

/** A server that is silent for this long counts as away. Everything that answers a request is counted from it. */
export const SERVER_PATIENCE_MS = 1_500
/** The embedded store is in this process: it cannot be away, only slow, and a slow answer is better than none. */
export const EMBEDDED_PATIENCE_MS = 30 * SECOND_MS

/** What a request waits for, of a store with this patience, from the inside out. */
export function budgetsOf(patienceMs: number) {
  return {
    /**
     * One call of the engine, or one read of the result backend: over before the store's own limit, so it can say which call was not
     * answered.
     */
    callMs: patienceMs - 100,
    /**
     * What a probe asks, such as health: one call and the rest of the request. Whoever probes learns within 2 s that a server is silent.
     */
    probeMs: patienceMs + 300,
    /** A read of schedules: a server that is slow, not silent, may take several calls for it, each with its own limit. */
    slowReadMs: patienceMs + 2_500,
    /** A read that somebody asked the API for: longer than any read inside it. docs/http-api.md promises 5 s. */
    answerMs: patienceMs + 3_000,
    /**
     * A write that somebody asked the API for. Each step has its own limit; this ends what a defect would let hang. docs/http-api.md
     * promises 8 s.
     */
    writtenMs: patienceMs + 6_500,
    /** Four calls of the engine in sequence, each with the store's limit. No request waits for it: EFFECT_WITHIN_MS ends that. */
    sequenceMs: 4 * patienceMs
  }
}

/** A scan for one page of a filtered list. What it has not found by then is on the next page; docs/search.md tells so. */
export const SCAN_MS = 300

// Health, which answers within 2 s.

/** The write that health makes to see whether writes are accepted: over before the ping beside it, so that silence is told as silence. */
export const WRITE_PROBE_MS = 1_400
/** A connection that is being made anew is asked again for this long. What is lost after that is an outage. */
export const RECONNECTED_WITHIN_MS = 500

// A write to a schedule: read, change, then wait a moment for the effect. All of it fits into `writtenMs`.

/** A change that others keep overtaking is not tried again after this. */
export const CHANGE_WITHIN_MS = 3_000
/** The answer waits this long for the effect, which comes in any case. */
export const EFFECT_WITHIN_MS = 1_000
/**
 * Two processes that collide in the engine fail at once. What fails later than this is the broker out of reach, left to the next
 * convergence.
 */
export const COLLISION_WITHIN_MS = 500
/** Forgetting the counters of a schedule that was deleted only tidies up. */
export const FORGET_WITHIN_MS = 1_000

// Background work on the result backend, which nobody waits for.

/** One statement of a worker, or a transaction. A connection that was cut off without a word is found out by it. */
export const WORK_TIMEOUT_MS = 10 * SECOND_MS
/** A write of the result backend: over before the store's limit, and longer than any statement in it. */
export const BACKEND_WRITE_MS = 9_500
/** The statement that writes attempts. */
export const ATTEMPTS_STATEMENT_MS = 9_000

// A start. `store.start()` promises an answer within 5 s.

export const STORE_START_MS = 5_000
/** All that a start does on Redis: find it, check it, open both clients. */
export const REDIS_START_MS = 4_000
/** A server of Redis that did not answer until now is not asked again: there is time for that before REDIS_START_MS. */
export const REDIS_PROBED_UNTIL_MS = 3_500
/** One trial of every command that is needed, in one flight. */
export const REDIS_TRIAL_MS = 1_400
/** All sentinels at once. */
export const SENTINELS_ASKED_MS = 1_200
/** All that a start does on PostgreSQL, but for a migration. */
export const POSTGRES_START_MS = 3_500
/** A step of a migration may build indexes: about five seconds a million executions. Other processes wait for the one that does it. */
export const MIGRATION_MS = 15 * MINUTE_MS
/** The start of the result backend: longer than a migration. */
export const BACKEND_START_MS = 16 * MINUTE_MS
