import { Link } from 'wouter'
import { actionsFor, toBulkFilter, type BulkAction } from '../../format/bulk/bulk-filter.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { currentTime } from '../../format/time/clock.ts'
import { useAllowed } from '../use-allowed.ts'
import { BulkButton } from './bulk-button.tsx'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  readonly filter: ExecutionFilter
  /** The only action to offer, and the text of the button. Default: all actions that fit. */
  readonly only?: readonly [action: BulkAction, label: string]
}

/** Offers one action on everything in a list, including what is not loaded. */
export function AllThatMatch({ filter, only }: Props) {
  return <BulkButton
    label={only ? only[1] : bulkTexts.allThatMatch} className={only ? 'button' : 'button button-small'}
    {...!only && { title: bulkTexts.allThatMatchTitle }} question={bulkTexts.question} filter={() => toBulkFilter(filter, currentTime())}
    taskName={filter.taskName ?? undefined} actions={only ? [only[0]] : actionsFor(filter)}
  />
}

/** A link to the operations that were started before. */
export function BulkLink() {
  return useAllowed().may('bulk:view') ? <Link href="/bulk" className="button button-small">{bulkTexts.title}</Link> : null
}
