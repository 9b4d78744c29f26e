/** Expressions designed to cost time or memory. bench/schedules.ts measures their cost. */
export const HOSTILE_CRONS: readonly string[] = [
  '0 0 1--100000000 * *', '0-99999999999999 * * * *', '*/99999999999 * * * *', '0 0 1-100000000 * *', `${'*,'.repeat(120)}* * * * *`,
  `${'0-59,'.repeat(48)}0 * * * *`, `${'9'.repeat(240)} * * * *`, 'a'.repeat(1_000_000), '* '.repeat(128), ' '.repeat(256),
  'JAN'.repeat(80),
  '0 0 29 2 *', '59 23 31 12 *', '0 0 30 2 0'
]
