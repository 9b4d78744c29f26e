import { Type } from '@sinclair/typebox'
import { MAX_ARGS, MAX_ARGS_BYTES } from './limits.ts'

/** Arguments that a person sends. */
export const SentArguments = Type.Array(Type.Unknown(), {
  maxItems: MAX_ARGS, description: `Positional arguments, at most ${MAX_ARGS_BYTES} bytes as JSON`
})
