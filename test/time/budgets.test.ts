import t from 'tap'
import * as budgets from '../../lib/time/budgets.ts'
import { MINUTE_MS, SECOND_MS } from '../../lib/time/units.ts'

const { SERVER_PATIENCE_MS, EMBEDDED_PATIENCE_MS, budgetsOf } = budgets

/** From inner to outer: each budget is shorter than the next. */
const NESTS: Record<string, readonly number[]> = {
  ...Object.fromEntries([SERVER_PATIENCE_MS, EMBEDDED_PATIENCE_MS].map(patienceMs => {
    const { partMs, callMs, probeMs, severalMs, slowReadMs, answerMs, writtenMs } = budgetsOf(patienceMs)
    return [
      `the waits of a request with a store patience of ${patienceMs} ms`,
      [partMs, callMs, patienceMs, probeMs, severalMs, slowReadMs, answerMs, writtenMs]
    ]
  })),
  'the promises of docs/http-api.md: health within 2 s, a read within 5, a write within 14 with its audit entry': [
    budgetsOf(SERVER_PATIENCE_MS).probeMs, 2 * SECOND_MS, budgetsOf(SERVER_PATIENCE_MS).answerMs, 5 * SECOND_MS,
    budgetsOf(SERVER_PATIENCE_MS).writtenMs, budgetsOf(SERVER_PATIENCE_MS).answerMs + budgetsOf(SERVER_PATIENCE_MS).writtenMs +
      budgets.SETTLE_WITHIN_MS, 14 * SECOND_MS
  ],
  'health: a reconnection, the write, the ping beside it, the answer': [
    budgets.RECONNECTED_WITHIN_MS, budgets.WRITE_PROBE_MS, SERVER_PATIENCE_MS, budgetsOf(SERVER_PATIENCE_MS).probeMs
  ],
  'a write to a schedule: a read, the attempts, a call begun at the last moment, the effect': [
    SERVER_PATIENCE_MS + budgets.CHANGE_WITHIN_MS + SERVER_PATIENCE_MS + budgets.EFFECT_WITHIN_MS, budgetsOf(SERVER_PATIENCE_MS).writtenMs
  ],
  'the effect of a schedule: a collision, the wait for it, the time of the engine': [
    budgets.COLLISION_WITHIN_MS, budgets.EFFECT_WITHIN_MS, budgetsOf(SERVER_PATIENCE_MS).sequenceMs
  ],
  'deleting a schedule: the write, and tidying up': [
    SERVER_PATIENCE_MS + budgets.EFFECT_WITHIN_MS + budgets.FORGET_WITHIN_MS, budgetsOf(SERVER_PATIENCE_MS).writtenMs
  ],
  'a write of the result backend': [budgets.ATTEMPTS_STATEMENT_MS, budgets.BACKEND_WRITE_MS, budgets.WORK_TIMEOUT_MS],
  'a start on Redis': [
    budgets.SENTINELS_ASKED_MS, budgets.REDIS_TRIAL_MS, SERVER_PATIENCE_MS, budgets.REDIS_PROBED_UNTIL_MS, budgets.REDIS_START_MS,
    budgets.STORE_START_MS
  ],
  'a probe of Redis that begins at the last moment': [
    budgets.PROBE_GREETING_MS, budgets.PROBE_ANSWER_MS, budgets.REDIS_PROBED_UNTIL_MS,
    budgets.REDIS_PROBED_UNTIL_MS + budgets.PROBE_GREETING_MS + 2 * budgets.PROBE_ANSWER_MS, budgets.STORE_START_MS
  ],
  'a start on PostgreSQL': [
    budgets.TLS_TRIED_MS, SERVER_PATIENCE_MS, budgets.DIRECT_STEP_MS, budgets.PREFLIGHT_MS, budgets.POSTGRES_FIRST_MS,
    budgets.POSTGRES_START_MS, budgets.STORE_START_MS
  ],
  'a start on PostgreSQL that tries both ways of TLS leaves time for a connection': [2 * budgets.TLS_TRIED_MS, budgets.POSTGRES_FIRST_MS],
  'the first statement on PostgreSQL of others, after one refusal of TLS': [
    budgets.TLS_TRIED_MS + budgets.POSTGRES_FIRST_MS, budgets.STORE_START_MS
  ],
  'the callers that wait for a connection to PostgreSQL to open': [
    SERVER_PATIENCE_MS, budgets.POSTGRES_FIRST_MS, budgets.POSTGRES_START_MS, budgets.POSTGRES_CONNECT_MS, budgets.WORK_TIMEOUT_MS
  ],
  'failure groups of some tasks: both reads, each with a call begun at the last moment': [
    budgets.SCOPED_GROUPS_MS, budgets.SCOPED_GROUPS_MS + budgets.SHARED_GROUPS_MS + 2 * budgetsOf(SERVER_PATIENCE_MS).callMs,
    budgetsOf(SERVER_PATIENCE_MS).answerMs
  ],
  'what is optional in a read': [
    budgets.RETRIES_WITHIN_MS, budgets.KNOWN_VALUES_WITHIN_MS, budgetsOf(SERVER_PATIENCE_MS).partMs, budgetsOf(SERVER_PATIENCE_MS).callMs
  ],
  'a start of the result backend': [budgets.STORE_START_MS, MINUTE_MS, budgets.MIGRATION_MS, budgets.BACKEND_START_MS]
}

for (const [what, nest] of Object.entries(NESTS)) {
  t.test(`budgets nest: ${what}`, async t => {
    t.same(nest.filter((ms, index) => index > 0 && ms <= nest[index - 1]!), [], nest.join(' < '))
  })
}
