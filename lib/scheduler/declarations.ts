import { toCodeDocument } from './schedule-document.ts'
import type { ScheduleEffects } from './schedule-effects.ts'
import type { ScheduleDefinition } from './schedule-input.ts'
import type { ScheduleStore } from './schedule-store.ts'

/** Writes what code declared. */
export function createDeclarations(store: ScheduleStore, scheduleEffects: ScheduleEffects, now: () => number) {
  /** @param lostSince for a schedule that the broker lost: from when on what did not run counts as missed */
  async function write(scheduleId: string, definition: ScheduleDefinition, lostSince?: number): Promise<void> {
    let isChanged = false
    const written = await store.change(scheduleId, current => {
      const next = toCodeDocument(definition, current, now())
      isChanged = next !== null
      return next && current === null && lostSince !== undefined ? { ...next, activeSince: lostSince } : next
    })
    if (isChanged) await scheduleEffects.settle(scheduleId, written!.value.taskName)
  }

  return {
    write,
    async writeAll(declared: Iterable<readonly [scheduleId: string, definition: ScheduleDefinition]>, lostSince?: number): Promise<void> {
      for (const [scheduleId, definition] of declared) await write(scheduleId, definition, lostSince)
    }
  }
}
