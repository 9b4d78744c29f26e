/** What a reader of text may take of the processor for the longest text that gets to it. */
export const LIMIT_MS = 20
/** What is in proportion to the text takes some milliseconds; the first runs of a function are slow, before it is compiled. */
const RUNS = 30
/** Nobody waits thirty times for what takes minutes. */
const HOPELESS_MS = 1_000

/** Texts of a length that make a careless regular expression try everything again and again, each with its name. */
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
/** What follows decides whether the start is a match: without an end that refuses, nothing is tried again. */
const ENDS = ['', '\n', '\r!', '"', 'Z', '(', ')', '!x', '\ud800']

/** Time of this process alone: others that run meanwhile do not count. The least of some runs, up to the first that is quick enough. */
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
