/** The first texts of a list for a sentence, as in `a, b and 7 more`. */
export function firstOf(texts: readonly string[], max: number): string {
  return texts.slice(0, max).join(', ') + (texts.length > max ? ` and ${texts.length - max} more` : '')
}
