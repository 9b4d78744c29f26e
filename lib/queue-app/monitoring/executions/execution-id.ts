const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** Planned runs of a schedule: the engine puts the schedule id and the due time into their id. */
const PLANNED_RUN = /^repeat:.+:(\d{1,16})$/s

/** When an execution with this id was submitted or due, in milliseconds since the epoch; null if the id does not show it. */
export function timeOfExecutionId(executionId: string): number | null {
  const [, high, low] = UUID_V7.exec(executionId) ?? []
  if (high !== undefined) return parseInt(`${high}${low}`, 16)
  const [, planned] = PLANNED_RUN.exec(executionId) ?? []
  return planned === undefined ? null : Number(planned)
}
