/** Values of a statement, which collects them while it is written. */
export interface Parameters {
  readonly values: unknown[]
  /** Its place in the statement. */
  add(value: unknown): string
}

export function createParameters(): Parameters {
  const values: unknown[] = []
  return { values, add: value => `$${values.push(value)}` }
}
