import type { ComponentProps, ReactNode } from 'react'
import { MAX_BULK_RATE } from '../../../../schemas/limits.ts'
import type { BulkAction } from '../../format/bulk/bulk-filter.ts'
import { rateFrom } from '../../format/bulk/bulk-state.ts'
import { formatCount } from '../../format/stats/number.ts'
import { ReasonField } from '../actions/reason-field.tsx'
import { Dialog } from '../elements/dialog.tsx'
import { actionTexts } from '../../texts/actions.ts'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  readonly question: string
  readonly actions: readonly BulkAction[]
  readonly action: BulkAction
  readonly onAction: (action: BulkAction) => void
  /** The filter in words. */
  readonly filter: string
  readonly rate: string
  readonly onRate: (rate: string) => void
  readonly reason: ComponentProps<typeof ReasonField>
  readonly canConfirm: boolean
  readonly isBusy: boolean
  /** The text of the start button. */
  readonly confirmLabel: string
  readonly refusal: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** The result of the dry run. */
  readonly children: ReactNode
}

/** Asks what to do with everything that matches, and shows the count. */
export function BulkForm(props: Props) {
  const { actions, action, onAction, filter, rate, onRate, reason, canConfirm, isBusy, confirmLabel, refusal, children } = props
  const isRateGood = rateFrom(rate) !== null
  const isReady = canConfirm && isRateGood && !isBusy
  const isFinal = action === 'delete' || action === 'cancel'
  return (
    <Dialog title={props.question} onClose={props.onClose}>
      <form className="form bulk-form" onSubmit={event => { event.preventDefault(); if (isReady) props.onConfirm() }}>
        <p className="wrap muted"><bdi>{filter}</bdi></p>
        <fieldset className="bulk-actions">
          <legend>{bulkTexts.action}</legend>
          {actions.map(each => (
            <label key={each} className="check">
              <input type="radio" name="bulk-action" checked={each === action} disabled={isBusy} onChange={() => onAction(each)} />
              {bulkTexts.actions[each]}
            </label>
          ))}
        </fieldset>
        <p>{bulkTexts.details[action]}</p>
        {children}
        <ReasonField {...reason} />
        <label className="field">
          <span>{bulkTexts.rate}</span>
          <input
            type="text" inputMode="numeric" value={rate} autoComplete="off" aria-invalid={!isRateGood}
            onInput={event => onRate(event.currentTarget.value)}
          />
          {isRateGood
            ? <small className="field-problem muted">{bulkTexts.rateNote}</small>
            : <small className="field-problem tone-bad" role="alert">{bulkTexts.rateProblem(formatCount(MAX_BULK_RATE))}</small>}
        </label>
        <p role="status">{refusal !== null && <span className="tone-bad wrap">{refusal}</span>}</p>
        <div className="form-actions">
          {/* Not “Cancel”: that is one of the actions. */}
          <button type="button" className="button" onClick={props.onClose}>{actionTexts.close}</button>
          <button type="submit" className={`button ${isFinal ? 'button-danger' : 'button-primary'}`} disabled={!isReady}>
            {isBusy ? bulkTexts.starting : confirmLabel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
