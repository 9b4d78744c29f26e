/** A number that a store returned, which may be text; null if there is none. Other code may have stored any text in its place. */
export function storedNumber(value: string | number | null | undefined): number | null {
  const number = value === null || value === undefined ? NaN : Number(value)
  return Number.isFinite(number) ? number : null
}
