/** Whether someone typed a whole number from 0 to `most`. */
export function isWholeNumber(text: string, most: number): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) <= most
}
