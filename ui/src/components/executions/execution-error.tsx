import type { ReactNode } from 'react'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { CUT } from './execution-attempts.tsx'
import { Part } from './execution-part.tsx'
import { LongText } from '../elements/long-text.tsx'
import { StackView } from './stack-view.tsx'

interface Props {
  readonly error: NonNullable<ExecutionDetail['error']>
  readonly isCut: (field: string) => boolean
  /** Who else has this error. */
  readonly alike: ReactNode
}

/** What broke, with its stack open. */
export function ExecutionError({ error, isCut, alike }: Props) {
  return (
    <Part title="Error" note={isCut('/error/message') ? CUT : undefined}>
      <div className="error-box">
        <p className="wrap"><b><bdi>{error.type}</bdi></b></p>
        <LongText text={error.message} label="Error message" />
        {alike}
      </div>
      {error.stack && (
        <div className="stack">
          {isCut('/error/stack') && <p className="tone-warn">Stack: {CUT}</p>}
          <StackView text={error.stack} label="Stack of the error" head={`${error.type}: ${error.message}`} />
        </div>
      )}
    </Part>
  )
}
