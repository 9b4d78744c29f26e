import { createTaskDashboardError } from '../../errors.ts'
import { isSameJson } from '../../json/same-json.ts'
import { invalidSchedule, toScheduleDefinition, type ScheduleDefinition } from './schedule-input.ts'
import type { Edit, EditableField, ScheduleDocument, StoredTiming } from './schedule-store.ts'
import type { ScheduleChanges, ScheduleTiming } from '../schedules.ts'

export const EDITABLE_FIELDS: readonly EditableField[] = [
  'timing', 'description', 'args', 'enabled', 'priority', 'overlap', 'catchUp', 'jitterMs', 'startAt', 'endAt'
]

export function toApiDocument(definition: ScheduleDefinition, at: number): ScheduleDocument {
  const timing = toStoredTiming(definition.timing, null, at)
  return { ...definition, timing, source: 'api', createdAt: at, updatedAt: at, activeSince: at, code: null, wins: 'live', edits: {} }
}

/**
 * The document for a code declaration that is new or changed; null if nothing changes. While `live` wins, fields that an operator edited
 * stay and the others follow the code. While `code` wins, only an operator's `enabled` stays.
 */
export function toCodeDocument(definition: ScheduleDefinition, current: ScheduleDocument | null, at: number): ScheduleDocument | null {
  if (current?.code && isSameJson(current.code, definition) &&
    (current.wins === 'live' || driftingFields(current).every(field => field === 'enabled')))
    return null
  const { wins = 'live', edits: allEdits = {} } = current ?? {}
  // A field where code and operator agree again is no longer an edit.
  const kept = EDITABLE_FIELDS.filter(field =>
    allEdits[field] && (wins === 'live' || field === 'enabled') && !isSameField(current!, definition, field))
  const edits: ScheduleDocument['edits'] = Object.fromEntries(kept.map(field => [field, allEdits[field]]))
  const next: ScheduleDocument = {
    ...definition,
    timing: toStoredTiming(definition.timing, current?.timing ?? null, at),
    ...Object.fromEntries(kept.map(field => [field, current![field]])),
    source: 'code',
    createdAt: current?.createdAt ?? at,
    updatedAt: at,
    activeSince: at,
    code: definition,
    wins,
    edits
  }
  return withActiveSince(next, current, at)
}

/**
 * The document after an operator's changes; null if nothing changes.
 * @throws INVALID_CRON, INVALID_SCHEDULE
 */
export function toEditedDocument(current: ScheduleDocument, changes: ScheduleChanges, edit: Edit): ScheduleDocument | null {
  const { cron, intervalMs, timezone, wins, ...rest } = changes
  const before = wins === 'code' ? reverted(current, edit.at) : current
  const timing = timingFrom(before.timing, changes)
  const definition = toScheduleDefinition({ ...before, ...rest, timing })
  if (wins !== undefined && current.source !== 'code')
    throw invalidSchedule([{ pointer: '/wins', message: 'is only for schedules that are declared in code' }])
  const edited: ScheduleDocument = {
    ...before, ...definition, timing: toStoredTiming(timing, before.timing, edit.at), wins: wins ?? current.wins, updatedAt: edit.at
  }
  const changed = EDITABLE_FIELDS.filter(field => !isSameJson(edited[field], before[field]))
  if (changed.length === 0 && before === current && edited.wins === current.wins) return null
  return withActiveSince(
    { ...edited, edits: { ...before.edits, ...Object.fromEntries(changed.map(field => [field, edit])) } }, current, edit.at
  )
}

export function toSwitchedDocument(current: ScheduleDocument, enabled: boolean, edit: Edit): ScheduleDocument {
  return withActiveSince({ ...current, enabled, updatedAt: edit.at, edits: { ...current.edits, enabled: edit } }, current, edit.at)
}

export function requireVersion(standing: string, wanted: string | undefined): void {
  if (wanted === undefined || wanted === '*' || wanted === standing) return
  throw createTaskDashboardError('CONFLICT', ['The schedule has changed since you read it: read it again, then change it'])
}

/** Fields where the live schedule differs from the code. */
export function driftingFields(document: ScheduleDocument): EditableField[] {
  const { code } = document
  return code === null ? [] : EDITABLE_FIELDS.filter(field => !isSameField(document, code, field))
}

function isSameField(document: ScheduleDocument, code: ScheduleDefinition, field: EditableField): boolean {
  return field === 'timing' ? isSameJson(timingOf(document.timing), timingOf(code.timing)) : isSameJson(document[field], code[field])
}

/** Reverts all edits except `enabled`. */
function reverted(current: ScheduleDocument, at: number): ScheduleDocument {
  if (current.code === null) return current
  const { enabled } = current.edits
  return {
    ...current, ...current.code, timing: toStoredTiming(current.code.timing, current.timing, at), enabled: current.enabled,
    updatedAt: at, edits: enabled === undefined ? {} : { enabled }
  }
}

function timingFrom(current: StoredTiming, { cron, intervalMs, timezone = current.timezone }: ScheduleChanges): ScheduleTiming {
  if ('cron' in current) {
    if (intervalMs !== undefined)
      throw invalidSchedule([{ pointer: '/interval_ms', message: 'is for interval schedules; this one has a cron expression' }])
    return { cron: cron ?? current.cron, timezone }
  }
  if (cron !== undefined) throw invalidSchedule([{ pointer: '/cron', message: 'is for cron schedules; this one runs at an interval' }])
  return { intervalMs: intervalMs ?? current.intervalMs, timezone }
}

/**
 * Runs that were due under the previous times, or while disabled, do not count as missed. Disabling keeps `activeSince`: a run that was
 * taken before may be recorded later, together with what was missed before it.
 */
function withActiveSince(next: ScheduleDocument, current: ScheduleDocument | null, at: number): ScheduleDocument {
  const isUnmoved = current !== null && (current.enabled || !next.enabled) &&
    (['timing', 'jitterMs', 'startAt', 'endAt'] as const).every(field => isSameJson(current[field], next[field]))
  return { ...next, activeSince: isUnmoved ? current.activeSince : at }
}

function toStoredTiming(timing: ScheduleTiming, current: StoredTiming | null, at: number): StoredTiming {
  if ('cron' in timing) return { cron: timing.cron, timezone: timing.timezone }
  const isUnchanged = current !== null && 'intervalMs' in current && current.intervalMs === timing.intervalMs
  return { intervalMs: timing.intervalMs, timezone: timing.timezone, anchorAt: isUnchanged ? current.anchorAt : at }
}

function timingOf(timing: ScheduleTiming | StoredTiming): ScheduleTiming {
  return 'cron' in timing ? { cron: timing.cron, timezone: timing.timezone } : { intervalMs: timing.intervalMs, timezone: timing.timezone }
}
