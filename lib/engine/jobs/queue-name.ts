import { remembered } from '../../collections/remembered.ts'

const MAX_NAMES_KEPT = 10_000

/**
 * A task's queue name: its name, with every character except letters, digits, `-`, `_` and `.` percent-encoded as UTF-8 in lower-case hex.
 * So `:`, `~`, `{`, `}` and `*`, which datastores reserve, never occur, and the encoding is reversible. Every list needs the names of all
 * tasks, so they are remembered.
 */
export const queueNameFromTask: (taskName: string) => string = remembered(encode, MAX_NAMES_KEPT)

function encode(taskName: string): string {
  // An unpaired surrogate has no UTF-8 encoding: it is written as %u and its code.
  return taskName.replace(/[^A-Za-z0-9_.-]/gu, character => {
    const point = character.codePointAt(0)!
    if (point >= 0xd800 && point <= 0xdfff) return `%u${point.toString(16)}`
    return Array.from(Buffer.from(character), byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
  })
}

export function taskFromQueueName(queueName: string): string {
  return queueName.replace(/%u([0-9a-f]{4})|(?:%[0-9a-f]{2})+/g, (encoded, surrogate: string | undefined) => surrogate !== undefined
    ? String.fromCharCode(parseInt(surrogate, 16))
    : Buffer.from(encoded.replaceAll('%', ''), 'hex').toString())
}
