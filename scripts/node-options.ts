/**
 * Options of Node for a program that a test starts. The embedded store is WebAssembly, and optimising it takes V8 two seconds of CPU time,
 * which is more than a test gains.
 */
export const CHILD_OPTIONS = ['--liftoff-only']

/**
 * Options for a test process, which is short. Optimising JavaScript took a tenth of all CPU time. With this interrupt budget, V8 optimises
 * only really hot code; later versions of Node optimise in cheaper steps and do not know the option. A larger semi-space means that young
 * objects are collected less often.
 */
export const TEST_OPTIONS = [
  '--enable-source-maps', ...CHILD_OPTIONS, '--max-semi-space-size=64',
  ...(Number.parseInt(process.versions.node) < 22 ? ['--interrupt-budget=1056768'] : [])
]
