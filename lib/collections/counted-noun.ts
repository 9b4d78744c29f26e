/** A number with its noun for a sentence, as in `1 queue` or `7 queues`. */
export function countedNoun(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}
