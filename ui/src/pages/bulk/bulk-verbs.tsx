import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BulkOperation } from '../../../../schemas/index.ts'
import { changeBulk } from '../../api/bulk.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { BulkVerbDialog } from '../../components/bulk/bulk-verb-dialog.tsx'
import { verbsFor, type BulkVerb } from '../../format/bulk/bulk-state.ts'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { notify } from '../../hooks/use-notices.ts'
import { useAllowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'
import { bulkTexts } from '../../texts/bulk.ts'

/** Suspends, resumes, aborts or undoes an operation. Only actions that cannot be undone or need a reason ask for confirmation. */
export function BulkVerbs({ operation }: { operation: BulkOperation }) {
  const { may, needsReason } = useAllowed()
  const [asked, setAsked] = useState<BulkVerb | null>(null)
  const { mutate, isPending } = useMutation(changeBulk)
  const operationId = operation.operation_id
  const press = (verb: BulkVerb): void => {
    if (verb === 'abort' || verb === 'undo' || needsReason(`bulk:${verb}`)) setAsked(verb)
    else mutate({ operationId, verb, reason: undefined }, {
      onError: error => notify(isUnconfirmed(error) ? 'doubt' : 'bad', refusalOf(verb, error))
    })
  }
  // The element with the focus is gone: the button that was pressed, or the page where the operation was started.
  useEffect(() => {
    if (asked === null && document.activeElement === document.body)
      document.querySelector<HTMLElement>('.page-header h1')?.focus({ preventScroll: true })
  }, [asked, operation.state])
  return (
    <>
      {verbsFor(operation, may).map(verb =>
        <button key={verb} type="button" className="button" disabled={isPending} onClick={() => press(verb)}>
          {bulkTexts.verbs[verb].button}
        </button>)}
      {asked !== null && <Asking key={asked} operationId={operationId} verb={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function Asking({ operationId, verb, onClose }: { operationId: string; verb: BulkVerb; onClose: () => void }) {
  const { field, isReady, reason } = useReason(`bulk:${verb}`)
  const { mutate, isPending, error } = useMutation(changeBulk)
  return (
    <BulkVerbDialog
      verb={verb} reason={field} isReady={isReady && !isPending}
      refusal={error && refusalOf(verb, error)}
      onConfirm={() => mutate({ operationId, verb, reason }, { onSuccess: onClose })}
      // The dialog shows the result.
      onClose={() => { if (!isPending) onClose() }}
    />
  )
}

/** Without a response, it is not known whether the action happened. */
function refusalOf(verb: BulkVerb, error: Error): string {
  const why = withLocalTimes(error.message, currentTime())
  return isUnconfirmed(error) ? bulkTexts.verbInDoubt(why) : bulkTexts.verbs[verb].refused(why)
}
