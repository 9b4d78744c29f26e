import type { Execution } from '../../../../schemas/index.ts'
import { exportList, type ExportFormat, type ExportRow } from '../lists/export-list.ts'

/** More would not fit a spreadsheet; programs can use the API. */
export const MAX_EXPORTED = 10_000

/** The text of an exported file of executions. */
export function toExport(executions: readonly Execution[], format: ExportFormat): string {
  return exportList(executions, format, toRow)
}

function toRow(execution: Execution): ExportRow {
  const { error, progress: _progress, retry, ...fields } = execution
  return {
    ...fields, error_type: error?.type ?? null, error_message: error?.message ?? null, retried_by: retry?.execution_id ?? null,
    retry_status: retry?.status ?? null
  }
}
