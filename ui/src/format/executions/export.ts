import type { Execution } from '../../../../schemas/index.ts'

/** More would not fit a spreadsheet; programs can use the API. */
export const MAX_EXPORTED = 10_000

export type ExportFormat = 'json' | 'csv'

type Row = Readonly<Record<string, string | number | null>>

/** Without it, a spreadsheet misreads UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The text of a file of executions. */
export function toExport(executions: readonly Execution[], format: ExportFormat): string {
  return format === 'json' ? `${JSON.stringify(executions, null, 2)}\n` : BYTE_ORDER_MARK + toCsv(executions.map(toRow))
}

/** `executions-failed-2026-11-20T0930Z.csv`. */
export function exportName(what: string, format: ExportFormat, at: number): string {
  const safe = what.replace(/[^\w.-]+/g, '-').slice(0, 60)
  return `${safe}-${new Date(at).toISOString().slice(0, 16).replace(':', '')}Z.${format}`
}

function toRow(execution: Execution): Row {
  const { error, progress: _progress, retry, ...fields } = execution
  return {
    ...fields, error_type: error?.type ?? null, error_message: error?.message ?? null, retried_by: retry?.execution_id ?? null,
    retry_status: retry?.status ?? null
  }
}

/** RFC 4180; an empty list has no header either, since nothing is known of its columns. */
export function toCsv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  return [columns, ...rows.map(row => columns.map(column => row[column] ?? null))].filter(line => line.length > 0)
    .map(line => `${line.map(cell).join(',')}\r\n`).join('')
}

/** Text that a spreadsheet would run as a formula. A negative number is not one. */
const FORMULA = /^[=+\-@\t\r\n]/
/** Where the decimal separator is a comma, a semicolon begins a new cell. Quotes or spaces may stand before its formula. */
const FORMULA_INSIDE = /[;\t\r\n](?=[ "]{0,16}[=+\-@])/g

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const inside = value.replace(FORMULA_INSIDE, "$&'")
  const text = FORMULA.test(value) ? `'${inside}` : inside
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
