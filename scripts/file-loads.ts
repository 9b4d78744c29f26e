/** What a run must know of a file or a check to put it in its place. */
export interface Load {
  /** On a still machine of 2 cores, to the nearest few. */
  readonly seconds: number
  /** That it keeps busy. */
  readonly cores: number
}

/** Whatever is not below takes less than 10 s. */
const USUAL: Load = { seconds: 4, cores: 1 }

const LOADS: Readonly<Record<string, Load>> = {
  'test/newcomer/compile.test.ts': { seconds: 100, cores: 1 },
  'test/stores/embedded/embedded-thread.test.ts': { seconds: 60, cores: 1 },
  'test/promises/snippets.test.ts': { seconds: 60, cores: 1 },
  'test/stores/embedded/embedded-store.test.ts': { seconds: 50, cores: 1 },
  'test/queue-app/queue-app.test.ts': { seconds: 45, cores: 1 },
  'test/newcomer/week.test.ts': { seconds: 40, cores: 1 },
  'test/security/fuzz.test.ts': { seconds: 60, cores: 1 },
  'test/newcomer/install.test.ts': { seconds: 60, cores: 1 },
  'test/promises/package.test.ts': { seconds: 60, cores: 1 },
  'test/faults/ledger-kills-postgres.test.ts': { seconds: 60, cores: 1 },
  'test/stores/postgres/postgres-starts.test.ts': { seconds: 50, cores: 1 },
  'test/hosts/node.test.ts': { seconds: 40, cores: 1 },
  'test/browser/everyone.test.ts': { seconds: 40, cores: 1 },
  // It measures milliseconds of the processor, which a neighbour makes slower.
  'test/promises/hostile-text.test.ts': { seconds: 20, cores: 2 },
  // Three processes with schedules of a second: beside another file they are late themselves.
  'test/faults/schedule-kills-postgres.test.ts': { seconds: 50, cores: 2 },
  'test/faults/schedule-kills-redis.test.ts': { seconds: 50, cores: 2 },
  'test/scheduler/control-room.test.ts': { seconds: 30, cores: 1 },
  // It waits twice 16 s for a reconciler.
  'test/faults/stop.test.ts': { seconds: 45, cores: 0.5 },
  'test/hosts/next.test.ts': { seconds: 60, cores: 2 },
  'test/hosts/next-example.test.ts': { seconds: 60, cores: 2 },
  'test/queue-app/redaction/cut-payloads.test.ts': { seconds: 30, cores: 1 },
  'test/stores/postgres/postgres-rights.test.ts': { seconds: 30, cores: 1 },
  'test/scheduler/races.test.ts': { seconds: 20, cores: 1 },
  'test/scheduler/schedule-control.test.ts': { seconds: 20, cores: 1 },
  'test/scheduler/taken-up-again.test.ts': { seconds: 25, cores: 1 },
  'test/scheduler/converging.test.ts': { seconds: 15, cores: 1 },
  'test/backend/upkeep/reconciler.test.ts': { seconds: 15, cores: 1 },
  'test/engine/redis-engine.test.ts': { seconds: 30, cores: 0.5 },
  'test/hosts/examples.test.ts': { seconds: 30, cores: 1 },
  'test/stores/postgres/pgbouncer.test.ts': { seconds: 30, cores: 1 },
  'test/stores/redis/redis-cluster.test.ts': { seconds: 30, cores: 1 },
  'test/hosts/hono.test.ts': { seconds: 25, cores: 1 },
  'test/security/bad-input-embedded.test.ts': { seconds: 20, cores: 1 },
  'test/hosts/nest.test.ts': { seconds: 20, cores: 1 },
  'test/browser/layout.test.ts': { seconds: 20, cores: 1 },
  'test/browser/pages.test.ts': { seconds: 30, cores: 1 },
  'test/browser/live.test.ts': { seconds: 20, cores: 1 },
  'test/queue-app/enqueueing/result.test.ts': { seconds: 35, cores: 1 },
  'test/stores/postgres/postgres-store.test.ts': { seconds: 25, cores: 1 },
  'test/backend/postgres/driver-embedded.test.ts': { seconds: 25, cores: 1 },
  'test/queue-app/enqueueing/request-answers.test.ts': { seconds: 20, cores: 1 },
  'test/scheduler/effects/pull-back.test.ts': { seconds: 15, cores: 0.5 },
  'test/stores/postgres/postgres-budget.test.ts': { seconds: 15, cores: 1 },
  'test/queue-app/processes/store-refused-postgres.test.ts': { seconds: 15, cores: 1 },
  'test/backend/postgres/driver-embedded-reads.test.ts': { seconds: 15, cores: 1 },
  'test/backend/redis/driver.test.ts': { seconds: 15, cores: 1 },
  'test/backend/postgres/driver.test.ts': { seconds: 15, cores: 1 },
  'test/engine/workers/refusals-postgres.test.ts': { seconds: 15, cores: 1 },
  'test/stores/redis/redis-rights.test.ts': { seconds: 15, cores: 1 },
  'test/queue-app/monitoring/health.test.ts': { seconds: 15, cores: 1 },
  'test/backend/postgres/listing/list.test.ts': { seconds: 12, cores: 1 },
  'test/queue-app/redaction/redacted-reads.test.ts': { seconds: 12, cores: 1 },
  'test/stores/your-store.test.ts': { seconds: 10, cores: 1 },
  'test/queue-app/processes/store-refused-redis.test.ts': { seconds: 10, cores: 1 },
  'test/stores/redis/redis-sentinel.test.ts': { seconds: 10, cores: 1 },
  'test/stores/redis/redis-cluster-function.test.ts': { seconds: 10, cores: 1 },
  'test/stores/redis/cluster-client.test.ts': { seconds: 10, cores: 1 },
  'test/backend/redis/cluster.test.ts': { seconds: 10, cores: 1 },
  'test/stores/redis/redis-store.test.ts': { seconds: 10, cores: 1 },
  'test/backend/upkeep/clock-skew.test.ts': { seconds: 10, cores: 1 },
  'test/dashboard/fuzz.test.ts': { seconds: 10, cores: 1 },
  'test/browser/proxy.test.ts': { seconds: 30, cores: 1 },
  'test/browser/recovery.test.ts': { seconds: 15, cores: 1 },
  'test/browser/schedule-control.test.ts': { seconds: 15, cores: 1 },
  'the code is free of lint': { seconds: 60, cores: 1 },
  'the types of the tests, scripts and examples hold': { seconds: 40, cores: 1 },
  'the types of the interface hold': { seconds: 15, cores: 1 }
}

/** Their files start what takes long: Chromium, a build, servers that are killed. */
const NOT_QUICK = /^test\/(?:browser|client|end-to-end|faults|hosts|newcomer|security)\//

/** These read, pack or build the tree as it is, show what a loader of TypeScript does, or need a browser. */
const FROM_SOURCES = new RegExp([
  '^test/(?:browser|client|newcomer|scripts|security)/', '^test/promises/(?!snippets)', '^test/hosts/next', '^test/queue-app/tasks/task\\.'
].join('|'))

/** Whether it runs as JavaScript that was compiled once for all files: half the work for a short one. */
export function runsCompiled(file: string): boolean {
  return !FROM_SOURCES.test(file)
}

/** @param name the path of a file of tests, or the title of a check */
export function loadOf(name: string): Load {
  return LOADS[name] ?? USUAL
}

/** Whether `npm run test:quick` runs it. */
export function isQuick(file: string): boolean {
  return !NOT_QUICK.test(file) && !(file in LOADS)
}

/** The files above, so that none stays when its file goes. */
export function filesWithLoads(): string[] {
  return Object.keys(LOADS).filter(name => name.endsWith('.test.ts'))
}
