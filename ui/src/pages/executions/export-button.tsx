import { useEffect, useRef, useState } from 'react'
import { readExecutions } from '../../api/executions.ts'
import { currentTime } from '../../format/time/clock.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { exportName, MAX_EXPORTED, toExport, type ExportFormat } from '../../format/executions/export.ts'
import { formatCount, plural } from '../../format/stats/number.ts'

type State =
  | { readonly step: 'idle' }
  | { readonly step: 'reading'; readonly count: number }
  | { readonly step: 'said'; readonly text: string; readonly isBad: boolean }

const TYPES: Record<ExportFormat, string> = { json: 'application/json', csv: 'text/csv' }

/** Saves the executions of a list as a file, as far as the cap goes. */
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
      if (executions.length === 0) return setState({ step: 'said', isBad: false, text: 'The list is empty: there is no file.' })
      save(toExport(executions, format), format, ['executions', filter.status, filter.taskName].filter(Boolean).join('-'))
      setState({ step: 'said', isBad: false, text: `${plural(executions.length, 'execution')} saved${isCut ? '; there are more' : ''}.` })
    } catch (error) {
      setState(control.signal.aborted
        ? { step: 'said', isBad: false, text: 'Stopped: there is no file.' }
        : { step: 'said', isBad: true, text: `No file: ${(error as Error).message}` })
    }
  }
  return (
    <details className="export">
      <summary className="button button-small">Export</summary>
      <div className="export-menu">
        <p className="muted">The executions of this list, {formatCount(MAX_EXPORTED)} at most.</p>
        {state.step === 'reading'
          ? <p role="status">
            {formatCount(state.count)} read… <button
              type="button" className="button button-small" onClick={() => stop.current?.abort()}
            >
              Stop
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

function save(text: string, format: ExportFormat, what: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: TYPES[format] }))
  link.download = exportName(what, format, currentTime())
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
