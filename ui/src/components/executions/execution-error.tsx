import type { ReactNode } from 'react'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { Part } from '../elements/part.tsx'
import { LongText } from '../elements/long-text.tsx'
import { StackView } from './stack-view.tsx'
import { executionTexts } from '../../texts/executions.ts'
import { rowTexts } from '../../texts/execution-rows.ts'

interface Props {
  readonly error: NonNullable<ExecutionDetail['error']>
  readonly isCut: (field: string) => boolean
  /** Other executions with this error. */
  readonly alike: ReactNode
}

/** The error, with its stack open. */
export function ExecutionError({ error, isCut, alike }: Props) {
  return (
    <Part title={rowTexts.error} note={isCut('/error/message') ? executionTexts.cut : undefined}>
      <div className="error-box">
        <p className="wrap"><b><bdi>{error.type}</bdi></b></p>
        <LongText text={error.message} label={executionTexts.errorMessage} />
        {alike}
      </div>
      {error.stack && (
        <div className="stack">
          {isCut('/error/stack') && <p className="tone-warn">{executionTexts.stackCut(executionTexts.cut)}</p>}
          <StackView text={error.stack} label={executionTexts.stackOfError} head={`${error.type}: ${error.message}`} />
        </div>
      )}
    </Part>
  )
}
