/** The processor time that reading the longest possible text may take. What is not linear takes minutes. */
export const LIMIT_MS = 50
/** Linear work takes a few milliseconds, and 26 on a slow machine. The first runs are slow, before the function is compiled. */
const RUNS = 30
/** Work that takes minutes is not repeated thirty times. */
const HOPELESS_MS = 1_000

/** Texts of a given length that make a careless regular expression backtrack, each with its name. */
export function hostileShapes(length: number): ReadonlyArray<readonly [name: string, text: string]> {
  return UNITS.map((unit, index) => {
    const end = ENDS[index % ENDS.length]!
    return [
      `${JSON.stringify(unit)}… and ${JSON.stringify(end)}`,
      unit.repeat(Math.ceil(length / unit.length)).slice(0, length - end.length) + end
    ] as const
  })
}

const UNITS = [
  '\n', '\r\n', ' ', '\t', '\u2028', '"', "'", '`', '\\', '/', '\\/', '//..', '.', ':', '::', ',', '-', '_', '@', 'a@', '%', '%41', '%u',
  '#', '?', '~', '*', '=', '&', '0', '1', '1.', '1,', '1:', '1-', 'a1', '1a', '1e', 'A', 'aA1-', 'f0', '0x', 'eyJ', 'eyJ.', 'at ',
  '\n    at ', '    at (', '\n at x (', '(', ')', '((', '[', ']', '{', '}', '[[', '{"a":', '<', '>', '<id>', '“', '”', '‘', '«', '„', "a'",
  " '", '\ud800', '\udc00', '\udc00\ud800', '😀', '\0', '\u0001', '\u0001d', 'é', 'e\u0301', '日', 'ﷺ', 'ẞ', 'İ', 'http://', 'a://', 'x.y',
  '/a', 'C:\\', '*/', '* ', '1-', 'Mon ', 'args.', 'args."', 'a:', 'a:"', '-a', 'node_modules/', '.js', ':1:2', 'Error: ', '; ', 'x=1&',
  'W/', '"~', '$&', '__proto__'
]
/** The end decides whether the start matches: without an end that fails, nothing backtracks. */
const ENDS = ['', '\n', '\r!', '"', 'Z', '(', ')', '!x', '\ud800']

/** Processor time of this process only, so other processes do not matter. The least of several runs, stopping at the first fast enough. */
export function leastCpuMs(run: () => unknown): number {
  let least = Infinity
  for (let i = 0; i < RUNS && least >= LIMIT_MS && !(i > 0 && least >= HOPELESS_MS); i++) {
    const start = process.cpuUsage()
    try {
      run()
    } catch {
      // Refused.
    }
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
