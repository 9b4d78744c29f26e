const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** Runs that a schedule planned: the engine names them after it and their instant. */
const PLANNED_RUN = /^repeat:.+:(\d{1,16})$/s

/** When an execution with this id was submitted, or due, in milliseconds since the epoch; null when the id does not tell. */
export function timeOfExecutionId(executionId: string): number | null {
  const [, high, low] = UUID_V7.exec(executionId) ?? []
  if (high !== undefined) return parseInt(`${high}${low}`, 16)
  const [, planned] = PLANNED_RUN.exec(executionId) ?? []
  return planned === undefined ? null : Number(planned)
}
