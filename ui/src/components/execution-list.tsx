import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Execution } from '../../../schemas/index.ts'
import { useMedia } from '../hooks/use-media.ts'
import { ExecutionCells } from './execution-row.tsx'

interface Props {
  readonly executions: readonly Execution[]
  /** How many there are in all, when that is known exactly. */
  readonly total: number | null
  readonly openId: string | null
  readonly movedOn: ReadonlySet<string>
  readonly href: (executionId: string) => string
  readonly onEnd: () => void
  /** The pointer or the focus is in the list: nothing may move. */
  readonly onHold: (isHeld: boolean) => void
}

const ROW_PX = 36
const STACKED_ROW_PX = 68
const OVERSCAN = 12
/** From this many rows before the end on, the next page is asked for. */
const AHEAD = 30

/** The history: only the rows in sight exist, however many there are. */
export function ExecutionList({ executions, total, openId, movedOn, href, onEnd, onHold }: Props) {
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const rowPx = useMedia('(max-width: 719px)') ? STACKED_ROW_PX : ROW_PX

  // What stands above can grow or shrink with any render.
  useLayoutEffect(() => {
    const top = Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (top !== offset) setOffset(top)
  })

  const virtualizer = useWindowVirtualizer({
    count: executions.length, estimateSize: () => rowPx, overscan: OVERSCAN, scrollMargin: offset
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx])
  const rows = virtualizer.getVirtualItems()

  const last = rows.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= executions.length - AHEAD) onEnd()
  }, [last, executions.length, onEnd])

  return (
    <div
      className="grid history" data-panel-list role="table" aria-label="Execution history" aria-rowcount={total === null ? -1 : total + 1}
      onPointerEnter={event => { if (event.pointerType === 'mouse') onHold(true) }} onPointerLeave={() => onHold(false)}
      onFocus={() => onHold(true)} onBlur={() => onHold(false)}
    >
      <div role="rowgroup" className="grid-head">
        <div role="row" className="grid-row" aria-rowindex={1}>
          <span role="columnheader">Status</span>
          <span role="columnheader">Task</span>
          <span role="columnheader" className="cell-changed" title="Finished, started or submitted: the order of this list">
            Last change
          </span>
          <span role="columnheader" className="cell-submitted">Submitted</span>
          <span role="columnheader" className="num cell-waited">Waited</span>
          <span role="columnheader" className="num">Took</span>
          <span role="columnheader" className="num cell-attempt">Attempt</span>
          <span role="columnheader">Error</span>
        </div>
      </div>
      <div role="rowgroup" ref={body} className="history-body" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {rows.map(({ index, start }) => {
          const execution = executions[index]!
          const hasMovedOn = movedOn.has(execution.execution_id)
          return (
            <div
              role="row" key={execution.execution_id} aria-rowindex={index + 2}
              className={`grid-row ${execution.execution_id === openId ? 'is-open' : ''} ${hasMovedOn ? 'has-moved-on' : ''}`}
              style={{ height: `${rowPx}px`, transform: `translateY(${start - offset}px)` }}
            >
              <ExecutionCells
                execution={execution} href={href(execution.execution_id)} isOpen={execution.execution_id === openId} hasMovedOn={hasMovedOn}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}
