import { Type, type TSchema } from '@sinclair/typebox'
import { Ref } from '../../../schemas/common.ts'
import { Problem } from '../../../schemas/problem.ts'
import { PROBLEM_TYPE } from '../http/problem.ts'

/** Error responses that every operation can give. */
export const errors = {
  400: problem('The input is not valid'),
  401: problem('Credentials are missing or wrong (with `auth`, or by the host)', { 'WWW-Authenticate': 'The challenge: `Basic`' }),
  403: problem('The policy does not allow it'),
  414: problem('The address is too long'),
  429: problem('Too many writes, wrong passwords or stored Idempotency-Keys', { 'Retry-After': 'Seconds to wait, if that helps' }),
  500: problem(
    'A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the ' +
      'detail names'
  ),
  503: problem(
    'The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened',
    { 'Retry-After': 'Seconds to wait' }
  )
} as const

export const writeErrors = {
  ...errors,
  413: problem('The body is too large'),
  415: problem('The body is not JSON')
} as const

export const notFound = { 404: problem('Nothing has this name or id') } as const

export const pruned = {
  410: problem('It was deleted, or retention has removed executions of this age; the detail says up to which time')
} as const

export const conflict = { 409: problem('The state of the resource does not allow this; the detail says why') } as const

/** For polled responses: the state in `If-None-Match` is still current. */
export const unchanged = { 304: Type.Null({ description: 'Not modified since the response with this ETag' }) } as const

/** A response; `headers` maps names to descriptions. */
export function described<Schema extends TSchema>(description: string, schema: Schema, headers: Record<string, string> = {}) {
  return { description, ...documented(headers), content: { 'application/json': { schema } } } as const
}

/** An error response of an operation. */
export function problem(description: string, headers: Record<string, string> = {}) {
  return { description, ...documented(headers), content: { [PROBLEM_TYPE]: { schema: Ref(Problem) } } } as const
}

function documented(headers: Record<string, string>) {
  const entries = Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }])
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) as Record<string, object> }
}
