/**
 * A condition on the text of an execution. Text is compared as words (see `words.ts`): what is looked for must stand there as
 * consecutive words, of which the last may go on (`conn` finds `connection`).
 */
export type TextCondition =
  | {
    /** `error`: type and message. `args`: keys and values of the arguments. `any`: those, the name of the task and the execution's id. */
    readonly in: 'any' | 'error' | 'args'
    /** As `wordsOf` gives them; at least one. */
    readonly words: readonly string[]
  }
  | {
    readonly in: 'path'
    /** Keys from an argument down, without positions in arrays: `['user', 'id']`; at least one. */
    readonly path: readonly string[]
    /** The whole value as text: `42`, `true`, `null`, a string. Compared without regard to case. */
    readonly value: string
  }
