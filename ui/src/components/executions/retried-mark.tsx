import { Link } from 'wouter'
import type { Execution } from '../../../../schemas/index.ts'
import { statusWord } from '../../format/executions/status.ts'
import { StatusMark } from '../elements/status-mark.tsx'
import { rowTexts } from '../../texts/execution-rows.ts'

interface Props {
  readonly of: Pick<Execution, 'retry'>
  readonly href: (executionId: string) => string
}

/** Shows in the row of a failure that it was retried, and the status of the retry. Leads to the retry. */
export function RetriedMark({ of: { retry }, href }: Props) {
  return retry && <Link href={href(retry.execution_id)} className="above quiet-link">
    <StatusMark mark={retry.status} word={rowTexts.retried(statusWord(retry.status))} />
  </Link>
}
