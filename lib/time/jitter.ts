/**
 * The delay of a schedule's run in milliseconds: 0 to `jitterMs`, always the same for the same time, so that every process plans the same
 * run. The engine plans with it and the scheduler counts with it.
 */
export function jitterOf(scheduleId: string, instant: number, jitterMs: number): number {
  if (jitterMs === 0) return 0
  // FNV-1a distributes well enough, and costs almost nothing even for a million runs.
  let hash = 0x811c9dc5
  for (const character of `${scheduleId}:${instant}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  hash ^= hash >>> 15
  return Math.floor(((Math.imul(hash, 0x2c1b3c6d) >>> 0) / 2 ** 32) * (jitterMs + 1))
}
