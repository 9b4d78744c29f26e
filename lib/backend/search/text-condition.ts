/**
 * A condition on the text of an execution. Text is compared as words (see `words.ts`): the words must occur consecutively, and the last one
 * matches by prefix (`conn` finds `connection`).
 */
export type TextCondition =
  | {
    /** `error`: type and message. `args`: keys and values of the arguments. `any`: those, the task name and the execution id. */
    readonly in: 'any' | 'error' | 'args'
    /** As returned by `wordsOf`; at least one. */
    readonly words: readonly string[]
  }
  | {
    readonly in: 'path'
    /** Keys from an argument down, without array positions: `['user', 'id']`; at least one. */
    readonly path: readonly string[]
    /** The whole value as text: `42`, `true`, `null`, a string. Compared case-insensitively. */
    readonly value: string
  }
