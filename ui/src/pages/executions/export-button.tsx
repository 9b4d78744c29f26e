import { useEffect, useRef, useState } from 'react'
import { readExecutions } from '../../api/executions.ts'
import { saveFile } from '../../components/elements/save-file.ts'
import { currentTime } from '../../format/time/clock.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { MAX_EXPORTED, toExport } from '../../format/executions/export.ts'
import { exportName, type ExportFormat } from '../../format/lists/export-list.ts'
import { executionTexts } from '../../texts/executions.ts'

type State =
  | { readonly step: 'idle' }
  | { readonly step: 'reading'; readonly count: number }
  | { readonly step: 'said'; readonly text: string; readonly isBad: boolean }

const TYPES: Record<ExportFormat, string> = { json: 'application/json', csv: 'text/csv' }

/** Saves the executions of a list as a file, up to the limit. */
export function ExportButton({ filter }: { filter: ExecutionFilter }) {
  const [state, setState] = useState<State>({ step: 'idle' })
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async (format: ExportFormat): Promise<void> => {
    const control = new AbortController()
    stop.current = control
    setState({ step: 'reading', count: 0 })
    try {
      const onRead = (count: number): void => setState({ step: 'reading', count })
      const { executions, isCut } = await readExecutions(filter, MAX_EXPORTED, onRead, control.signal)
      if (executions.length === 0) return setState({ step: 'said', isBad: false, text: executionTexts.exportEmpty })
      const what = ['executions', filter.status, filter.taskName].filter(Boolean).join('-')
      saveFile(exportName(what, format, currentTime()), toExport(executions, format), TYPES[format])
      const { exportSaved, exportSavedMore } = executionTexts
      setState({ step: 'said', isBad: false, text: (isCut ? exportSavedMore : exportSaved)(executions.length) })
    } catch (error) {
      setState(control.signal.aborted
        ? { step: 'said', isBad: false, text: executionTexts.exportStopped }
        : { step: 'said', isBad: true, text: executionTexts.exportFailed((error as Error).message) })
    }
  }
  return (
    <details className="export">
      <summary className="button button-small">{executionTexts.export}</summary>
      <div className="export-menu">
        <p className="muted">{executionTexts.exportMost(MAX_EXPORTED)}</p>
        {state.step === 'reading'
          ? <p role="status">
            {executionTexts.countRead(state.count)} <button
              type="button" className="button button-small" onClick={() => stop.current?.abort()}
            >
              {executionTexts.stop}
            </button>
          </p>
          : (['csv', 'json'] as const).map(format =>
            <button key={format} type="button" className="button button-small" onClick={() => { start(format).catch(() => {}) }}>
              {format.toUpperCase()}
            </button>)}
        {state.step === 'said' && <p role="status" className={state.isBad ? 'tone-bad wrap' : 'wrap'}>{state.text}</p>}
      </div>
    </details>
  )
}
