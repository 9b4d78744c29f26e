import { STATUS_CODES } from 'node:http'
import type { Problem } from '../../../schemas/problem.ts'
import type { BulkDrift, InputFault } from '../../errors.ts'

/** Longer addresses are cut in `instance`. */
const MAX_INSTANCE_LENGTH = 500
/** A bad body can have thousands of errors; people only read the first ones. */
const MAX_ERRORS = 20

export const PROBLEM_TYPE = 'application/problem+json'

interface ProblemFields {
  status: number
  code: string
  detail: string
  instance: string
  errors?: readonly InputFault[] | undefined
  requestId?: string | undefined
  executionId?: string | undefined
  drift?: BulkDrift | undefined
}

export function toProblem({ status, code, detail, instance, errors, requestId, executionId, drift }: ProblemFields): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    instance: instance.slice(0, MAX_INSTANCE_LENGTH),
    code,
    ...(errors && errors.length > 0 ? { errors: errors.slice(0, MAX_ERRORS).map(toFault) } : {}),
    ...(executionId === undefined ? {} : { execution_id: executionId }),
    ...(drift === undefined ? {} : { count: { value: drift.count.value, relation: drift.count.relation }, token: drift.token }),
    ...(requestId === undefined ? {} : { request_id: requestId })
  }
}

/** Copies only known members, because the schema allows no others. */
function toFault({ pointer, message, position }: InputFault): InputFault {
  return { pointer, message, ...(position !== undefined && { position }) }
}
