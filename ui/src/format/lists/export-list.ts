export type ExportFormat = 'json' | 'csv'

export type ExportRow = Readonly<Record<string, string | number | null>>

/** Without it, a spreadsheet misreads UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The text of an exported file of a list: its items as the API returns them, or as a table. */
export function exportList<Item>(items: readonly Item[], format: ExportFormat, toRow: (item: Item) => ExportRow): string {
  return format === 'json' ? `${JSON.stringify(items, null, 2)}\n` : BYTE_ORDER_MARK + toCsv(items.map(toRow))
}

/** `executions-failed-2026-11-20T0930Z.csv`. */
export function exportName(what: string, format: ExportFormat, at: number): string {
  const safe = what.replace(/[^\w.-]+/g, '-').slice(0, 60)
  return `${safe}-${new Date(at).toISOString().slice(0, 16).replace(':', '')}Z.${format}`
}

/** RFC 4180. An empty list has no header either, because its columns are not known. */
export function toCsv(rows: readonly ExportRow[]): string {
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
