/** What a run needs to know about a file or check to schedule it. */
export interface Load {
  /** Duration on an idle machine with 2 cores, rounded. */
  readonly seconds: number
  /** Cores it keeps busy: its CPU time divided by its duration. Both if it would fail beside other load. */
  readonly cores: number
}

/** Files not listed below take less than 10 s. Four of them run side by side. */
const USUAL: Load = { seconds: 4, cores: 0.5 }

const LOADS: Readonly<Record<string, Load>> = {
  // It measures CPU milliseconds, which increase beside another file.
  'test/promises/hostile-text.test.ts': { seconds: 5, cores: 2 },
  'test/faults/kills/ledger-kills-postgres.test.ts': { seconds: 90, cores: 0.3 },
  'test/faults/kills/ledger-kills-redis.test.ts': { seconds: 85, cores: 0.2 },
  'types hold, and the code is free of lint': { seconds: 80, cores: 1 },
  'test/faults/outages/slow-store.test.ts': { seconds: 78, cores: 0.1 },
  'test/browser/cadence.test.ts': { seconds: 68, cores: 0.1 },
  'test/engine/embedded-engine.test.ts': { seconds: 65, cores: 0.15 },
  'test/engine/postgres-engine.test.ts': { seconds: 64, cores: 0.2 },
  'test/engine/redis-engine.test.ts': { seconds: 64, cores: 0.1 },
  'test/browser/live.test.ts': { seconds: 62, cores: 0.15 },
  'test/stores/redis/redis-cluster.test.ts': { seconds: 57, cores: 0.25 },
  'test/browser/recovery.test.ts': { seconds: 53, cores: 0.25 },
  'test/security/fuzz.test.ts': { seconds: 52, cores: 0.3 },
  'test/browser/truth.test.ts': { seconds: 49, cores: 0.35 },
  'test/queue-app/operations/cancel-execution.test.ts': { seconds: 48, cores: 0.5 },
  'test/browser/requests.test.ts': { seconds: 48, cores: 0.35 },
  'test/browser/schedule-control.test.ts': { seconds: 47, cores: 0.25 },
  'test/faults/outages/redis-slot-move.test.ts': { seconds: 47, cores: 0.1 },
  'test/faults/kills/bulk-kills.test.ts': { seconds: 50, cores: 0.4 },
  'test/faults/kills/observing-kills.test.ts': { seconds: 60, cores: 0.4 },
  'test/queue-app/observing/gaps.test.ts': { seconds: 20, cores: 0.4 },
  'test/queue-app/observing/once.test.ts': { seconds: 25, cores: 0.4 },
  'test/queue-app/observing/names.test.ts': { seconds: 15, cores: 0.4 },
  'test/newcomer/command.test.ts': { seconds: 20, cores: 0.6 },
  'test/queue-app/observing/finishes.test.ts': { seconds: 12, cores: 0.4 },
  'test/queue-app/bulk/bulk-fairness.test.ts': { seconds: 22, cores: 0.15 },
  'test/newcomer/compile.test.ts': { seconds: 45, cores: 0.9 },
  'test/scheduler/taken-up-again.test.ts': { seconds: 45, cores: 0.25 },
  'test/queue-app/processes/store-refused-postgres.test.ts': { seconds: 44, cores: 0.1 },
  'test/faults/kills/killed-writes.test.ts': { seconds: 43, cores: 0.15 },
  'test/browser/everyone.test.ts': { seconds: 42, cores: 0.45 },
  'test/hosts/node.test.ts': { seconds: 42, cores: 0.3 },
  'test/browser/bulk.test.ts': { seconds: 42, cores: 0.3 },
  'test/queue-app/operations/limit-queue.test.ts': { seconds: 41, cores: 0.55 },
  'test/browser/proxy.test.ts': { seconds: 40, cores: 0.45 },
  'test/hosts/examples.test.ts': { seconds: 40, cores: 0.5 },
  'test/browser/audit.test.ts': { seconds: 39, cores: 0.3 },
  'test/browser/language.test.ts': { seconds: 38, cores: 0.45 },
  'test/scheduler/effects/pull-back.test.ts': { seconds: 38, cores: 0.1 },
  'test/stores/postgres/pgbouncer.test.ts': { seconds: 38, cores: 0.1 },
  'test/scheduler/races.test.ts': { seconds: 37, cores: 0.35 },
  'test/engine/connection/half-open-postgres.test.ts': { seconds: 36, cores: 0.1 },
  'test/scheduler/schedule-control.test.ts': { seconds: 36, cores: 0.35 },
  'test/faults/outages/outage-postgres.test.ts': { seconds: 35, cores: 0.15 },
  'test/stores/embedded/embedded-thread.test.ts': { seconds: 34, cores: 0.9 },
  'test/hosts/hono.test.ts': { seconds: 32, cores: 0.35 },
  'test/engine/standing.test.ts': { seconds: 32, cores: 0.65 },
  'test/browser/boundary.test.ts': { seconds: 31, cores: 0.3 },
  'test/promises/snippets.test.ts': { seconds: 31, cores: 0.75 },
  'test/stores/embedded/embedded-store.test.ts': { seconds: 31, cores: 0.7 },
  'test/queue-app/bulk/bulk-retry.test.ts': { seconds: 31, cores: 0.55 },
  'test/faults/stop.test.ts': { seconds: 30, cores: 0.2 },
  'test/queue-app/operations/pause-queue.test.ts': { seconds: 30, cores: 0.55 },
  'test/browser/failures.test.ts': { seconds: 28, cores: 0.25 },
  'test/faults/kills/schedule-kills-postgres.test.ts': { seconds: 28, cores: 0.5 },
  'test/stores/postgres/postgres-budget.test.ts': { seconds: 28, cores: 0.2 },
  'test/browser/cancel.test.ts': { seconds: 28, cores: 0.25 },
  'test/browser/pages.test.ts': { seconds: 27, cores: 0.45 },
  'test/faults/kills/schedule-kills-redis.test.ts': { seconds: 27, cores: 0.25 },
  'test/queue-app/operations/delete-execution.test.ts': { seconds: 27, cores: 0.7 },
  'test/queue-app/monitoring/why/states.test.ts': { seconds: 27, cores: 0.3 },
  'test/engine/pause.test.ts': { seconds: 27, cores: 0.35 },
  'test/backend/postgres/driver.test.ts': { seconds: 26, cores: 0.35 },
  'test/engine/workers/refusals-postgres.test.ts': { seconds: 26, cores: 0.1 },
  'test/hosts/next.test.ts': { seconds: 26, cores: 0.95 },
  'test/queue-app/queue-app.test.ts': { seconds: 26, cores: 0.9 },
  'test/browser/layout.test.ts': { seconds: 25, cores: 0.5 },
  'test/hosts/koa.test.ts': { seconds: 25, cores: 0.3 },
  'test/queue-app/monitoring/health.test.ts': { seconds: 25, cores: 0.2 },
  'test/queue-app/processes/store-refused-redis.test.ts': { seconds: 25, cores: 0.1 },
  'test/engine/connection/half-open-redis.test.ts': { seconds: 24, cores: 0.1 },
  'test/faults/outages/outage-redis.test.ts': { seconds: 24, cores: 0.1 },
  'test/hosts/nest.test.ts': { seconds: 24, cores: 0.4 },
  'test/engine/cancel.test.ts': { seconds: 24, cores: 0.55 },
  'test/browser/change.test.ts': { seconds: 24, cores: 0.25 },
  'test/browser/actions.test.ts': { seconds: 23, cores: 0.3 },
  'test/engine/consistent-reads.test.ts': { seconds: 23, cores: 0.55 },
  'test/engine/many-tasks.test.ts': { seconds: 23, cores: 0.35 },
  'test/engine/policies.test.ts': { seconds: 23, cores: 0.25 },
  'test/security/scope/scope-embedded.test.ts': { seconds: 23, cores: 0.8 },
  'test/queue-app/bulk/bulk-control.test.ts': { seconds: 23, cores: 0.4 },
  'test/queue-app/bulk/bulk-selection.test.ts': { seconds: 30, cores: 0.55 },
  'test/queue-app/bulk/bulk-format.test.ts': { seconds: 25, cores: 0.5 },
  'test/queue-app/bulk/bulk-repeats.test.ts': { seconds: 15, cores: 0.5 },
  'test/browser/pause.test.ts': { seconds: 23, cores: 0.25 },
  'test/browser/executions.test.ts': { seconds: 22, cores: 0.45 },
  'test/cli/serve.test.ts': { seconds: 45, cores: 0.6 },
  'test/queue-app/observing/owners-log.test.ts': { seconds: 40, cores: 0.3 },
  'test/queue-app/observing/nothing-written.test.ts': { seconds: 22, cores: 0.4 },
  'test/cli/doctor.test.ts': { seconds: 22, cores: 0.35 },
  'test/stores/redis/redis-rights.test.ts': { seconds: 22, cores: 0.4 },
  'test/queue-app/operations/resolve-failures.test.ts': { seconds: 22, cores: 0.5 },
  'test/queue-app/operations/resolve-retried.test.ts': { seconds: 45, cores: 0.3 },
  'test/queue-app/bulk/bulk-groups.test.ts': { seconds: 20, cores: 0.4 },
  'test/backend/upkeep/resolve-missed.test.ts': { seconds: 12, cores: 0.4 },
  'test/browser/palette.test.ts': { seconds: 22, cores: 0.4 },
  'test/queue-app/monitoring/worker-reads.test.ts': { seconds: 21, cores: 0.25 },
  'test/queue-app/operations/retry-execution.test.ts': { seconds: 21, cores: 0.8 },
  'test/stores/postgres/postgres-store.test.ts': { seconds: 21, cores: 0.25 },
  'test/browser/resolve-failures.test.ts': { seconds: 21, cores: 0.35 },
  'test/backend/postgres/listing/list.test.ts': { seconds: 20, cores: 0.2 },
  'test/browser/theme.test.ts': { seconds: 20, cores: 0.5 },
  'test/end-to-end/actions-by-state.test.ts': { seconds: 20, cores: 0.95 },
  'test/browser/schedules.test.ts': { seconds: 19, cores: 0.45 },
  'test/browser/workers.test.ts': { seconds: 19, cores: 0.35 },
  'test/dashboard/fuzz.test.ts': { seconds: 19, cores: 0.25 },
  'test/end-to-end/embedded.test.ts': { seconds: 19, cores: 0.7 },
  'test/faults/failover/failover-redis.test.ts': { seconds: 19, cores: 0.2 },
  'test/hosts/next-example.test.ts': { seconds: 19, cores: 1 },
  'test/backend/upkeep/sweeper.test.ts': { seconds: 19, cores: 0.3 },
  'test/browser/grid.test.ts': { seconds: 24, cores: 0.5 },
  'test/client/generated-clients.test.ts': { seconds: 18, cores: 0.7 },
  'test/newcomer/week.test.ts': { seconds: 18, cores: 0.55 },
  'test/scheduler/control-room.test.ts': { seconds: 18, cores: 0.45 },
  'test/stores/postgres/postgres-starts.test.ts': { seconds: 18, cores: 0.45 },
  'test/dashboard/access/identify.test.ts': { seconds: 17, cores: 0.3 },
  'test/browser/delete.test.ts': { seconds: 17, cores: 0.35 },
  'test/hosts/fastify.test.ts': { seconds: 16, cores: 0.3 },
  'test/hosts/hapi.test.ts': { seconds: 16, cores: 0.25 },
  'test/stores/postgres/postgres-rights.test.ts': { seconds: 16, cores: 0.7 },
  'test/engine/connection/refused-at-first.test.ts': { seconds: 20, cores: 0.25 },
  'test/stores/redis/redis-store.test.ts': { seconds: 16, cores: 0.1 },
  'test/support/servers/stores.test.ts': { seconds: 16, cores: 0.7 },
  'test/hosts/entry-points.test.ts': { seconds: 16, cores: 0.65 },
  'test/browser/charts.test.ts': { seconds: 16, cores: 0.4 },
  'test/faults/failover/sentinel.test.ts': { seconds: 15, cores: 0.3 },
  'test/browser/reasons.test.ts': { seconds: 15, cores: 0.35 },
  'test/backend/upkeep/recorder.test.ts': { seconds: 14, cores: 0.2 },
  'test/security/scope/scope-postgres.test.ts': { seconds: 14, cores: 0.55 },
  'test/security/bad-input-embedded.test.ts': { seconds: 14, cores: 0.7 },
  'test/queue-app/monitoring/why/stalls.test.ts': { seconds: 14, cores: 0.7 },
  'test/browser/why.test.ts': { seconds: 14, cores: 0.8 },
  'test/queue-app/audit/audit-log.test.ts': { seconds: 14, cores: 0.7 },
  'test/browser/partial.test.ts': { seconds: 14, cores: 0.25 },
  'test/browser/limit.test.ts': { seconds: 14, cores: 0.45 },
  'test/browser/first-run.test.ts': { seconds: 14, cores: 0.2 },
  'test/backend/upkeep/clock-skew.test.ts': { seconds: 13, cores: 0.7 },
  'test/queue-app/enqueueing/result.test.ts': { seconds: 13, cores: 0.65 },
  'test/security/scope/scope-redis.test.ts': { seconds: 13, cores: 0.5 },
  'test/queue-app/operations/update-execution.test.ts': { seconds: 13, cores: 0.6 },
  'test/dashboard/reads.test.ts': { seconds: 12, cores: 0.2 },
  'test/scheduler/converging.test.ts': { seconds: 12, cores: 0.5 },
  'test/scheduler/definitions/declared-ids.test.ts': { seconds: 12, cores: 0.65 },
  'test/stores/redis/redis-sentinel.test.ts': { seconds: 12, cores: 0.25 },
  'test/promises/hostile-schemas.test.ts': { seconds: 12, cores: 0.55 },
  'test/browser/export.test.ts': { seconds: 12, cores: 0.3 },
  'test/backend/postgres/failure-groups/failure-groups.test.ts': { seconds: 11, cores: 0.1 },
  'test/scripts/test-file.test.ts': { seconds: 11, cores: 0.55 },
  'test/stores/postgres/postgres-lanes.test.ts': { seconds: 11, cores: 0.15 },
  'test/stores/redis/cluster-client.test.ts': { seconds: 11, cores: 0.15 },
  'test/backend/postgres/driver-embedded.test.ts': { seconds: 10, cores: 1 },
  'test/backend/redis/cluster.test.ts': { seconds: 10, cores: 0.75 },
  'test/backend/redis/driver.test.ts': { seconds: 10, cores: 0.55 },
  'test/backend/upkeep/reconciler.test.ts': { seconds: 10, cores: 0.8 },
  'test/browser/search.test.ts': { seconds: 10, cores: 0.55 },
  'test/dashboard/access/authorize.test.ts': { seconds: 10, cores: 0.45 },
  'test/dashboard/host-hooks.test.ts': { seconds: 10, cores: 0.5 },
  'test/faults/failover/failover-postgres.test.ts': { seconds: 10, cores: 0.55 },
  'test/newcomer/install.test.ts': { seconds: 10, cores: 1 },
  'test/queue-app/enqueueing/request-answers.test.ts': { seconds: 10, cores: 0.4 },
  'test/queue-app/redaction/cut-payloads.test.ts': { seconds: 10, cores: 0.8 },
  'test/security/schedule-fields.test.ts': { seconds: 10, cores: 0.3 },
  'test/stores/your-store.test.ts': { seconds: 10, cores: 0.6 }
}

/** These files start something slow: Chromium, a build, servers that are killed. */
const NOT_QUICK = /^test\/(?:browser|client|end-to-end|faults|hosts|newcomer|security)\//

/** These read, pack or build the source tree, or test a TypeScript loader. */
const FROM_SOURCES = new RegExp([
  '^test/(?:client|newcomer|scripts)/', '^test/promises/(?!snippets)', '^test/hosts/next', '^test/queue-app/tasks/task\\.'
].join('|'))

/** Whether it runs as JavaScript that was compiled once for all files, which halves the time of a short file. */
export function runsCompiled(file: string): boolean {
  return !FROM_SOURCES.test(file)
}

/** These run or pack the built library. */
const NEEDS_BUILD = /^test\/(?:client|hosts|newcomer|promises)\//

/** Whether it waits until the library is built. */
export function needsBuild(file: string): boolean {
  return NEEDS_BUILD.test(file)
}

/** @param name path of a test file, or title of a check */
export function loadOf(name: string): Load {
  return LOADS[name] ?? USUAL
}

/** Whether `npm run test:quick` includes it. */
export function isQuick(file: string): boolean {
  return !NOT_QUICK.test(file) && !(file in LOADS)
}

/** The files listed above, so that a test can find entries whose file is gone. */
export function filesWithLoads(): string[] {
  return Object.keys(LOADS).filter(name => name.endsWith('.test.ts'))
}
