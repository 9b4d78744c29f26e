import { Type } from '@sinclair/typebox'

export const MAX_IDEMPOTENCY_KEY_LENGTH = 200

/** On every POST. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({
    minLength: 1,
    // Includes the quotes of the IETF draft.
    maxLength: MAX_IDEMPOTENCY_KEY_LENGTH + 2,
    pattern: '^[\\x20-\\x7e]+$',
    description:
      `1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters, a new key for each new request. A repeat with the same ` +
        'key and body gets the same response for 24 hours and changes nothing'
  }))
})
