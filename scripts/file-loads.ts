import measured from './file-loads.json' with { type: 'json' }

/** What a run needs to know about a file or check to schedule it. */
export interface Load {
  /** Duration beside other files on 2 cores. */
  readonly seconds: number
  /** Cores it keeps busy: CPU time of its processes and of the servers that it uses, divided by its duration. */
  readonly cores: number
}

/** For files that are not in the list. They take less time than the listed ones. */
const USUAL: Load = { seconds: 2, cores: 0.6 }

/** Needs more cores than there are, so nothing else runs beside it. */
const ALONE: Load = { seconds: 5, cores: Infinity }

/** `npm test -- --measure` writes the list. What it cannot measure is set here. */
const LOADS: Readonly<Record<string, Load>> = {
  ...Object.fromEntries(Object.entries(measured).map(([name, [seconds = 0, cores = 0]]) => [name, { seconds, cores }])),
  'types hold, and the code is free of lint': { seconds: 35, cores: 1 },
  // It measures CPU milliseconds, which increase beside another file.
  'test/promises/hostile-text.test.ts': ALONE
}

/** `npm run test:quick` leaves out files that take this long or longer. */
const MAX_QUICK_SECONDS = 7

/** These files start something slow: Chromium, a build, servers that are killed. */
const NOT_QUICK = /^test\/(?:browser|client|end-to-end|faults|hosts|newcomer|security)\//

/** These pack, build or compile the source tree, or test a TypeScript loader. */
const FROM_SOURCES = new RegExp([
  '^test/newcomer/(?!week)', '^test/client/generated', '^test/promises/fresh-build', '^test/hosts/next',
  '^test/scripts/(?:bundle-tap|compiled-tree|packs|test-file)', '^test/queue-app/tasks/task\\.'
].join('|'))

/** Whether a file runs as JavaScript that was compiled once for all files, which halves the time of a short file. */
export function runsCompiled(file: string): boolean {
  return !FROM_SOURCES.test(file)
}

/** These run or pack the built library. */
const NEEDS_BUILD = /^test\/(?:client\/generated|hosts\/|newcomer\/|promises\/(?:fresh-build|package))/

/** Whether a file waits until the library is built. */
export function needsBuild(file: string): boolean {
  return NEEDS_BUILD.test(file)
}

/** @param name path of a test file, or title of a check */
export function loadOf(name: string): Load {
  return LOADS[name] ?? USUAL
}

/** Whether `npm run test:quick` includes it. */
export function isQuick(file: string): boolean {
  return !NOT_QUICK.test(file) && loadOf(file).seconds < MAX_QUICK_SECONDS && loadOf(file) !== ALONE
}

/** The files with an entry, so that a test can find entries whose file is gone. */
export function filesWithLoads(): string[] {
  return Object.keys(LOADS).filter(name => name.endsWith('.test.ts'))
}
