import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BulkFilter } from '../../../../schemas/index.ts'
import { MAX_BULK_ITEMS } from '../../../../schemas/limits.ts'
import { bulkPreviewQuery, isRefusal, startBulk } from '../../api/bulk.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { ApiError } from '../../api/request.ts'
import { BulkForm } from '../../components/bulk/bulk-form.tsx'
import { BulkMatches } from '../../components/bulk/bulk-matches.tsx'
import { isReasonReady, reasonFrom } from '../../format/actions/reason.ts'
import { filterWords, ITEM_ACTIONS, type BulkAction } from '../../format/bulk/bulk-filter.ts'
import { isTooMany, operationHref, rateFrom } from '../../format/bulk/bulk-state.ts'
import { formatTotal } from '../../format/stats/number.ts'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { notify } from '../../hooks/use-notices.ts'
import { useAllowed } from '../use-allowed.ts'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  readonly question: string
  readonly filter: BulkFilter
  /** What the reader may do with them; at least one. */
  readonly actions: readonly BulkAction[]
  readonly onClose: () => void
  readonly onStarted?: (() => void) | undefined
}

/** From the question to the operation: a dry run, then a start. If the count has changed, the start needs another confirmation. */
export function StartBulk({ question, filter, actions, onClose, onStarted }: Props) {
  const [, navigate] = useLocation()
  const { may, needsReason } = useAllowed()
  const [action, setAction] = useState(actions[0]!)
  const [rate, setRate] = useState('')
  const [reason, setReason] = useState('')
  const { data: preview, error: failure } = useQuery(bulkPreviewQuery(action, filter))
  const { mutate, reset, isPending, error, variables } = useMutation(startBulk)
  const drift = error instanceof ApiError ? error.drift : null
  const isRequired = needsReason('bulk:create') || needsReason(ITEM_ACTIONS[action])

  const count = drift?.count ?? preview?.count
  const isNothing = count !== undefined && count.value === 0 && count.relation === 'exact'
  const isMore = count !== undefined && isTooMany(count, preview?.max_items)
  // Only a refusal prevents the start. A count that is slow or lost does not.
  const isRefused = preview === undefined && isRefusal(failure)
  const next = { action, filter, token: drift?.token ?? preview?.token, rate: rateFrom(rate) ?? undefined, reason: reasonFrom(reason) }
  // An operation that may have started is sent again unchanged: a different request could start it twice.
  const start = isUnconfirmed(error) && variables !== undefined ? variables : next
  return (
    <BulkForm
      question={question} actions={actions} action={action} onAction={next => { setAction(next); reset() }}
      filter={filterWords(filter, currentTime())} rate={rate} onRate={setRate}
      reason={{ text: reason, onChange: setReason, isRequired }}
      canConfirm={!isNothing && !isMore && !isRefused && isReasonReady(reason, isRequired)} isBusy={isPending}
      confirmLabel={drift === null ? bulkTexts.start : bulkTexts.startWith(formatTotal(drift.count))}
      refusal={error && toRefusal(error, preview && formatTotal(preview.count))}
      onConfirm={() => mutate(start, {
        onSuccess: ({ operation_id: id }) => {
          notify('good', bulkTexts.started)
          onClose()
          onStarted?.()
          if (may('bulk:view')) navigate(operationHref(id))
        }
      })}
      // The dialog shows the result.
      onClose={() => { if (!isPending) onClose() }}
    >
      <BulkMatches
        preview={preview} failure={preview === undefined && failure ? withLocalTimes(failure.message, currentTime()) : null}
        selected={filter.execution_ids?.length ?? null}
      />
    </BulkForm>
  )
}

function toRefusal(error: Error, counted: string | undefined): string {
  const drift = error instanceof ApiError ? error.drift : null
  if (drift !== null && isTooMany(drift.count)) return bulkTexts.tooMany(MAX_BULK_ITEMS)
  if (error instanceof ApiError && error.code === 'NOTHING_MATCHES') return error.message
  if (drift !== null) return bulkTexts.drifted(formatTotal(drift.count), counted ?? null)
  return (isUnconfirmed(error) ? bulkTexts.mayBeStarted : bulkTexts.notStarted)(withLocalTimes(error.message, currentTime()))
}
