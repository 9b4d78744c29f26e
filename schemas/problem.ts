import { Type, type Static } from '@sinclair/typebox'
import { named } from './common.ts'
import { Total } from './page.ts'

/** Every error, as `application/problem+json`. Source: RFC 9457. */
export const Problem = named('Problem', Type.Object({
  type: Type.String({
    description: 'A URI reference that identifies the problem: about:blank, or the anchor of its code in the error documentation'
  }),
  title: Type.String({ description: 'The status in words' }),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String({ description: 'One sentence: what happened and what to do about it' }),
  instance: Type.String({ description: 'The requested path' }),
  code: Type.String({ description: 'Stable code for programs, upper case with underscores' }),
  errors: Type.Optional(Type.Array(Type.Object({
    pointer: Type.String({ description: 'JSON pointer (RFC 6901) into the body, or the name of the query or path parameter' }),
    message: Type.String(),
    position: Type.Optional(Type.Integer({
      minimum: 0, description: 'Position in the text that `pointer` names, in UTF-16 code units from 0'
    }))
  }, { additionalProperties: false }), { description: 'Problems with the input, one per field' })),
  execution_id: Type.Optional(Type.String({ description: 'The execution that already exists (`ALREADY_RETRIED` only)' })),
  count: Type.Optional(Type.Object(Total.properties, {
    description: 'What the filter matches now (`BULK_DRIFTED` only)', additionalProperties: false
  })),
  token: Type.Optional(Type.String({ description: 'Starts the operation with this count (`BULK_DRIFTED` only)' })),
  request_id: Type.Optional(Type.String({ description: 'Identifies the error in the server\'s log (status 500 only)' }))
}, { description: 'RFC 9457 problem details', additionalProperties: false }))
export type Problem = Static<typeof Problem>
