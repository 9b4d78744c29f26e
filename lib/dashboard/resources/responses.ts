import { Type, type TSchema } from '@sinclair/typebox'
import { Ref } from '../../../schemas/common.ts'
import { Problem } from '../../../schemas/problem.ts'
import { PROBLEM_TYPE } from '../http/problem.ts'

/** The answers that every operation can give. */
export const errors = {
  400: problem('The input is not valid'),
  401: problem('Credentials are missing or wrong (with `auth`, or by the host)', { 'WWW-Authenticate': 'The challenge: `Basic`' }),
  403: problem('The policy does not allow it'),
  414: problem('The address is too long'),
  500: problem(
    'A defect, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until somebody puts it ' +
      'right, and the detail says what'
  ),
  503: problem(
    'Broker or result backend are out of reach; try again later. `UNCONFIRMED` to a write: it may have happened',
    { 'Retry-After': 'Seconds to wait' }
  )
} as const

export const writeErrors = {
  ...errors,
  413: problem('The body is too large'),
  415: problem('The body is not JSON')
} as const

export const notFound = { 404: problem('There is none with this name or id') } as const

export const pruned = {
  410: problem('It was there, or could have been, and retention removed it; the detail says until when history is gone')
} as const

export const conflict = { 409: problem('Its state forbids it; the detail says why') } as const

/** For what is polled: `If-None-Match` named the state that is still current. */
export const unchanged = { 304: Type.Null({ description: 'Unchanged since the answer with this ETag' }) } as const

/** An answer; `headers` by name, with what they mean. */
export function described<Schema extends TSchema>(description: string, schema: Schema, headers: Record<string, string> = {}) {
  return { description, ...documented(headers), content: { 'application/json': { schema } } } as const
}

/** An error that an operation can answer with. */
export function problem(description: string, headers: Record<string, string> = {}) {
  return { description, ...documented(headers), content: { [PROBLEM_TYPE]: { schema: Ref(Problem) } } } as const
}

function documented(headers: Record<string, string>) {
  const entries = Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }])
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) as Record<string, object> }
}
