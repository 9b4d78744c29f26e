/**
 * Whether a text has at most this many characters, as JSON Schema counts them: an emoji is one. Does not count the characters of a long
 * text.
 */
export function hasAtMost(text: string, characters: number): boolean {
  return text.length <= 2 * characters && [...text].length <= characters
}
