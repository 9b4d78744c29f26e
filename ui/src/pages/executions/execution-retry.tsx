import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { retryExecution, retryIntention } from '../../api/actions.ts'
import { ApiError } from '../../api/request.ts'
import { ArgumentsField } from '../../components/actions/arguments-field.tsx'
import { ReasonField } from '../../components/actions/reason-field.tsx'
import { RunQuestion } from '../../components/actions/run-question.tsx'
import { argumentsText, hasHiddenValues, parseArguments } from '../../format/executions/sent-arguments.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useDraft } from '../../hooks/use-draft.ts'
import { useIntention } from '../../hooks/use-intention.ts'
import { useAllowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'
import { actionTexts } from '../../texts/actions.ts'

/** Offers to retry a failed execution, unless someone already has. */
export function ExecutionRetry({ execution }: { execution: ExecutionDetail }) {
  const { href } = useAddress()
  const { may, isOthers } = useAllowed(execution.task_name)
  /** Edited arguments; null means the execution's own. */
  const [text, setText, dropText] = useDraft<string | null>(`retry ${execution.execution_id}`, () => null)
  const args = text === null ? undefined : parseArguments(text)
  const { isRequired, field, isReady, reason } = useReason('executions:retry')
  const retry = { executionId: execution.execution_id, reason, ...args && { args } }
  const { isPending, data, error, doubt, send, letBe } = useIntention(retryExecution, retryIntention, retry)
  const madeByOthers = error instanceof ApiError ? error.executionId : null
  const isOver = execution.retried_by.length > 0 && data === undefined && madeByOthers === null
  if (execution.status !== 'failed' || isOver || !may('executions:retry')) return null
  return (
    <RunQuestion
      label={actionTexts.retry} question={actionTexts.retryQuestion} confirmLabel={actionTexts.retryIt}
      canConfirm={isReady && args !== null && !(text !== null && hasHiddenValues(text))}
      isBusy={isPending} executionId={data?.execution_id ?? madeByOthers} isOver={data !== undefined || madeByOthers !== null}
      resultLabel={madeByOthers === null ? actionTexts.enqueued : actionTexts.alreadyRetried}
      refusal={doubt === null && madeByOthers === null ? error?.message ?? null : null} doubt={doubt}
      href={id => href({ execution: id })} onConfirm={send} onLetBe={letBe}
    >
      <p>{isOthers ? actionTexts.retryDetailOfOthers : text === null ? actionTexts.retryDetail : actionTexts.retryDetailEdited}</p>
      {text !== null && <ArgumentsField
        text={text} onChange={setText} note={execution.truncated.includes('/args') ? actionTexts.cutArguments : null}
      />}
      {isRequired && <ReasonField {...field} />}
      {!isOthers && <button
        type="button" className="button button-small"
        onClick={() => { if (text === null) setText(argumentsText(execution)); else dropText() }}
      >
        {text === null ? actionTexts.editArguments : actionTexts.ownArguments}
      </button>}
    </RunQuestion>
  )
}
