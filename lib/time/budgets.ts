import { MINUTE_MS, SECOND_MS } from './units.ts'

/**
 * How long each layer waits for the layer below, listed side by side. A budget is shorter than the one around it, so that the layer that
 * knows the cause of a timeout is the one that reports it. test/time/budgets.test.ts checks that they nest.
 */

/** A server that does not respond for this long counts as unavailable. All budgets for a request derive from it. */
export const SERVER_PATIENCE_MS = 1_500
/** The embedded store is in this process. It can only be slow, not unavailable, and a slow response is better than none. */
export const EMBEDDED_PATIENCE_MS = 30 * SECOND_MS

/** The time limits of a request on a store with this patience, innermost first. */
export function budgetsOf(patienceMs: number) {
  return {
    /** A call to one of several servers, or to one node of a cluster. The rest of the call returns what the others have. */
    partMs: patienceMs - 500,
    /**
     * One call of the engine, or one read of the result backend. Shorter than the store's own limit, so that the error names the call that
     * timed out.
     */
    callMs: patienceMs - 100,
    /** A probe such as health: one call and the rest of the request. It reports within 2 s that a server does not respond. */
    probeMs: patienceMs + 300,
    /**
     * A call that skips slow servers when there are several. A server can be slow twice: when it counts its jobs, and when it is read. Also
     * the limit for reading one job of another owner, which takes some calls in sequence.
     */
    severalMs: patienceMs + 1_500,
    /** A read of schedules, which may take several calls, each with its own limit, if a server is slow but not silent. */
    slowReadMs: patienceMs + 2_500,
    /** An API read: longer than any read inside it. docs/http-api.md promises 5 s. */
    answerMs: patienceMs + 3_000,
    /**
     * An API write. Each step has its own limit; this one only ends what would hang because of a bug. docs/http-api.md promises 14 s, which
     * includes `answerMs` to read what is changed and begin its audit entry, and SETTLE_WITHIN_MS for the outcome. With `authorize`,
     * another `answerMs` comes first, to find the task of the named resource.
     */
    writtenMs: patienceMs + 6_500,
    /** Four engine calls in sequence, each with the store's limit. No request waits for it, because of EFFECT_WITHIN_MS. */
    sequenceMs: 4 * patienceMs
  }
}

/** A scan for one page of a filtered list. The next page continues from there, as docs/search.md explains. */
export const SCAN_MS = 300

/**
 * Failure groups of some tasks only: reading all groups, and then looking up the last failures of shared ones. What was not read by then is
 * on a later page. A call may begin at the last moment of each.
 */
export const SCOPED_GROUPS_MS = 800
export const SHARED_GROUPS_MS = 800

/** Values that a search offers are optional. Those that are late are offered at the next keystroke. */
export const KNOWN_VALUES_WITHIN_MS = 500

/** The retries in a list of failures are optional, so a store that does not respond must not delay the list. */
export const RETRIES_WITHIN_MS = 300

// Health, which answers within 2 s.

/**
 * The write with which health checks whether writes are accepted. Shorter than the ping next to it, so that a store that does not respond
 * is reported as such.
 */
export const WRITE_PROBE_MS = 1_400
/** A connection that is being reopened is retried for this long. After that it counts as an outage. */
export const RECONNECTED_WITHIN_MS = 500

// A write to a schedule: read, change, then wait briefly for the effect. All of it fits in `writtenMs`.

/** A change that keeps losing to other changes is not retried after this. */
export const CHANGE_WITHIN_MS = 3_000
/** The response waits this long for the effect, which happens in any case. */
export const EFFECT_WITHIN_MS = 1_000
/**
 * Two processes that collide in the engine fail immediately. A later failure means that the broker is unavailable; the next convergence
 * handles it.
 */
export const COLLISION_WITHIN_MS = 500
/** The response waits this long for the outcome to be in the audit log. The outcome is written in any case. */
export const SETTLE_WITHIN_MS = 1_000
/** Deleting a schedule's counters is only cleanup. */
export const FORGET_WITHIN_MS = 1_000

// Background work on the result backend. No request waits for it.

/** One statement of a worker, or a transaction. Detects a connection that was cut off silently. */
export const WORK_TIMEOUT_MS = 10 * SECOND_MS
/** A write of the result backend: shorter than the store's limit, longer than any statement in it. */
export const BACKEND_WRITE_MS = 9_500
/** The statement that writes attempts. */
export const ATTEMPTS_STATEMENT_MS = 9_000

// A stop.

/** Running executions get this long to end; then they are handed back to their queues. */
export const STOP_GRACE_MS = 10 * SECOND_MS

// A start. `store.start()` promises to settle within 5 s.

export const STORE_START_MS = 5_000
/** Everything that a start does on Redis: find the server, check it, open both clients. */
export const REDIS_START_MS = 4_000
/** A Redis server that has not responded by then is not probed. A probe still fits in STORE_START_MS. */
export const REDIS_PROBED_UNTIL_MS = 3_500
/** A probe looks at what a server sends unasked, and then waits twice for what it says, in the clear and with TLS. */
export const PROBE_GREETING_MS = 200
export const PROBE_ANSWER_MS = 500
/** One trial of every needed command, in one round trip. */
export const REDIS_TRIAL_MS = 1_400
/** All sentinels in parallel. */
export const SENTINELS_ASKED_MS = 1_200
/** Everything that a start does on PostgreSQL, except migrations. Each of its steps has its own limit, and ends with this one. */
export const POSTGRES_START_MS = 4_500
/** The first statement waits this long for a connection. A full server may have a free one by then. */
export const POSTGRES_FIRST_MS = 3_500
/** Each of the two ways of `sslmode` prefer and allow: with TLS and without. */
export const TLS_TRIED_MS = 1_000
/** The statement that checks a server and the rights on it. It reads the catalog, so it takes longer than others. */
export const PREFLIGHT_MS = 3_000
/** Each step that checks `directUrl`: the connection, a statement, a notification. They run beside the other checks. */
export const DIRECT_STEP_MS = 2_000
/**
 * Opening a connection to PostgreSQL: on a slow network it takes four round trips, longer than a request waits. Each caller has a shorter
 * limit, also a start. A connection that opens later serves the next caller.
 */
export const POSTGRES_CONNECT_MS = 5_000
/** A migration step may build indexes: about five seconds per million executions. Other processes wait for the one that runs it. */
export const MIGRATION_MS = 15 * MINUTE_MS
/** Start of the result backend: longer than a migration. */
export const BACKEND_START_MS = 16 * MINUTE_MS
