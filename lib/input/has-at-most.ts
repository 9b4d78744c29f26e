/** Whether a text has at most so many characters, as JSON Schema counts: an emoji is one. Of a long text nobody counts them. */
export function hasAtMost(text: string, characters: number): boolean {
  return text.length <= 2 * characters && [...text].length <= characters
}
