/** Firefox reads the file after the click. */
const KEPT_MS = 10_000

/**
 * Saves a text in the reader's downloads.
 * @param type its media type
 */
export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
