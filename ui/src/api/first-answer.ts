/** The time a page may take to be drawn, including its language. After that, a view requests its data again. */
const FIRST_PAINT_WITHIN_MS = 10_000
let areForgotten = false

/** @param loadedAt when the page was loaded, milliseconds since the epoch */
export function isForFirstPaint(loadedAt: number): boolean {
  return !areForgotten && Date.now() - loadedAt <= FIRST_PAINT_WITHIN_MS
}

/** From now on, no response that is embedded in the page is used. */
export function forgetFirstAnswers(): void {
  areForgotten = true
}

/**
 * Options of a query whose first response is embedded in the page.
 * @param loadedAt when the page was loaded, milliseconds since the epoch. The response has the same age.
 */
export function toFirstAnswer<T>(data: T | undefined, loadedAt: number, staleTime: number) {
  if (data === undefined) return {}
  const initialData = (): T | undefined => (isForFirstPaint(loadedAt) ? data : undefined)
  return { initialData, initialDataUpdatedAt: loadedAt, staleTime }
}
