import type { ReactNode } from 'react'
import type { Mark } from '../../format/executions/status.ts'

// Marks differ in shape, so that no one depends on the colour.
const SHAPES: Record<Mark, ReactNode> = {
  success: <><circle cx="8" cy="8" r="6.5" className="fill" /><path d="m5.2 8.2 2 2 3.8-4.2" className="cut" /></>,
  failed: <><path d="M8 .9 15.1 8 8 15.1.9 8Z" className="fill" /><path d="M8 4.9v3.6M8 10.9v.2" className="cut" /></>,
  running: <><circle cx="8" cy="8" r="5.7" className="track" /><path d="M8 2.3A5.7 5.7 0 0 1 13.7 8" className="line turning" /></>,
  pending: <circle cx="8" cy="8" r="5.7" className="line dashed" />,
  cancelled: <><circle cx="8" cy="8" r="5.7" className="line" /><path d="m4.2 11.8 7.6-7.6" className="line" /></>,
  warning: <><path d="M8 1.8 15 14H1Z" className="fill" /><path d="M8 6.2v3.4M8 11.7v.2" className="cut" /></>,
  off: <><circle cx="8" cy="8" r="5.7" className="line" /><path d="M5.4 8h5.2" className="line" /></>,
  unknown: <><circle cx="8" cy="8" r="5.7" className="line" /><path
    d="M6.4 6.4c.2-1.9 3.3-1.7 3.2.2 0 1-1.6 1.2-1.6 2.3M8 11v.2" className="line"
  /></>
}

interface Props {
  readonly mark: Mark
  readonly word: string
  /** Only the shape is visible; the word is still read out. */
  readonly isQuiet?: boolean
}

export function StatusMark({ mark, word, isQuiet = false }: Props) {
  return (
    <span className={`status status-${mark} ${isQuiet ? 'is-quiet' : ''}`} title={isQuiet ? word : undefined}>
      <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">{SHAPES[mark]}</svg>
      <span className={isQuiet ? 'sr-only' : undefined}>{word}</span>
    </span>
  )
}
