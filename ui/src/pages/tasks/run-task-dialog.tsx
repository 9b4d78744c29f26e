import { Link } from 'wouter'
import { MAX_DELAY_MS, MAX_PRIORITY } from '../../../../schemas/limits.ts'
import { runTask, runTaskIntention } from '../../api/actions.ts'
import { ArgumentsField } from '../../components/actions/arguments-field.tsx'
import { ReasonField } from '../../components/actions/reason-field.tsx'
import { WholeNumber } from '../../components/actions/whole-number.tsx'
import { isWholeNumber } from '../../format/actions/whole-number.ts'
import { Dialog } from '../../components/elements/dialog.tsx'
import { hasHiddenValues, parseArguments } from '../../format/executions/sent-arguments.ts'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useDraft } from '../../hooks/use-draft.ts'
import { useIntention } from '../../hooks/use-intention.ts'
import { useReason } from '../use-reason.ts'
import { actionTexts } from '../../texts/actions.ts'

const MAX_DELAY_SECONDS = MAX_DELAY_MS / 1000

/** Enqueues one execution of a task, with arguments. */
export function RunTaskDialog({ taskName, onClose }: { taskName: string; onClose: () => void }) {
  const { href } = useAddress()
  const [draft, setDraft, dropDraft] = useDraft(`run ${taskName}`, () => ({ text: '[]', priority: '0', delay: '0' }))
  const { text, priority, delay } = draft
  const args = parseArguments(text)
  const { isRequired, field, isReady, reason, clear } = useReason('tasks:run')
  const run = { taskName, reason, input: { args: args ?? [], priority: Number(priority), delay_ms: Math.round(Number(delay) * 1000) } }
  const { isPending, data, error, doubt, reset, send, letBe } = useIntention(runTask, runTaskIntention, run)
  const isValid = isReady && args !== null && !hasHiddenValues(text) &&
    isWholeNumber(priority, MAX_PRIORITY) && isWholeNumber(delay, MAX_DELAY_SECONDS)
  /** The typed text is kept for the next time, unless it was sent or discarded. */
  const close = (isDiscarded: boolean): void => {
    // The dialog shows the result.
    if (isPending) return
    if (isDiscarded || data) dropDraft()
    onClose()
  }
  return (
    <Dialog title={actionTexts.runTaskTitle} className="dialog-narrow" onClose={() => close(false)}>
      <form
        className="form" onSubmit={event => { event.preventDefault(); if (isValid && !isPending && doubt === null && !data) send() }}
      >
        <p><b className="wrap"><bdi>{taskName}</bdi></b></p>
        <fieldset className="bare" disabled={doubt !== null || isPending || data !== undefined}>
          <ArgumentsField text={text} onChange={changed => setDraft({ ...draft, text: changed })} note={null} />
          <WholeNumber
            label={actionTexts.priority} note={actionTexts.priorityNote} value={priority} most={MAX_PRIORITY}
            onChange={changed => setDraft({ ...draft, priority: changed })}
          />
          <WholeNumber
            label={actionTexts.delay} value={delay} most={MAX_DELAY_SECONDS} onChange={changed => setDraft({ ...draft, delay: changed })}
          />
          {isRequired && <ReasonField {...field} />}
        </fieldset>
        <p role="status">
          {data && <>
            {actionTexts.enqueued} <Link href={href({ execution: data.execution_id })} className="wrap" onClick={() => close(true)}>
              {data.execution_id}
            </Link>
          </>}
        </p>
        {doubt !== null
          ? <p role="alert"><b>{actionTexts.mayBeEnqueued}</b> {withLocalTimes(doubt, currentTime())} {actionTexts.askAgainDetail}</p>
          : error && <p className="tone-bad" role="alert">{actionTexts.notRun(withLocalTimes(error.message, currentTime()))}</p>}
        <div className="form-actions">
          {doubt === null
            ? <>
              <button type="button" className="button" onClick={() => close(true)}>
                {data ? actionTexts.close : actionTexts.cancel}
              </button>
              {/* A second click, or a key held down, must not run it twice. */}
              {data
                ? <button type="button" className="button" onClick={() => { reset(); clear() }}>{actionTexts.runAgain}</button>
                : <button type="submit" className="button button-primary" disabled={!isValid || isPending}>
                  {isPending ? actionTexts.enqueueing : actionTexts.runIt}
                </button>}
            </>
            : <>
              <button type="button" className="button" onClick={letBe}>{actionTexts.leaveIt}</button>
              <button type="button" className="button button-primary" onClick={send}>{actionTexts.askAgain}</button>
            </>}
        </div>
      </form>
    </Dialog>
  )
}
