import { useState } from 'react'
import { LongText } from '../elements/long-text.tsx'
import { executionTexts } from '../../texts/executions.ts'

const MAX_TAIL_LINES = 12

/** A log. At first only its end is shown, because that is what happened last. */
export function ExecutionLog({ lines }: { lines: readonly string[] }) {
  const [isWhole, setWhole] = useState(false)
  const hidden = isWhole ? 0 : Math.max(0, lines.length - MAX_TAIL_LINES)
  return (
    <>
      {hidden > 0 &&
        <button type="button" className="button button-small log-more" onClick={() => setWhole(true)}>
          {executionTexts.showAllLines(lines.length)}
        </button>}
      <LongText text={lines.slice(hidden).join('\n')} label={hidden > 0 ? executionTexts.endOfLog : executionTexts.log} />
    </>
  )
}
