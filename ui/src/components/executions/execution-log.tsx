import { useState } from 'react'
import { formatCount } from '../../format/stats/number.ts'
import { LongText } from '../elements/long-text.tsx'

const MAX_TAIL_LINES = 12

/** The end of a log first: it is what happened last. */
export function ExecutionLog({ lines }: { lines: readonly string[] }) {
  const [isWhole, setWhole] = useState(false)
  const hidden = isWhole ? 0 : Math.max(0, lines.length - MAX_TAIL_LINES)
  return (
    <>
      {hidden > 0 &&
        <button type="button" className="button button-small log-more" onClick={() => setWhole(true)}>
          Show all {formatCount(lines.length)} lines
        </button>}
      <LongText text={lines.slice(hidden).join('\n')} label={hidden > 0 ? 'End of the log' : 'Log'} />
    </>
  )
}
