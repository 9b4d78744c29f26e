import { errorCodeOf } from '../failures/error-code.ts'

/** SQLSTATE 25006: the server is a standby, or `default_transaction_read_only` is on. A write was refused and had no effect. */
export function isReadOnly(error: unknown): boolean {
  return errorCodeOf(error) === '25006'
}
