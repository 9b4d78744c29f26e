import { useState } from 'react'
import { Link } from 'wouter'
import { Dialog } from '../../components/elements/dialog.tsx'
import { Later } from '../../components/elements/later.tsx'
import { actionsFor, ITEM_ACTIONS, type BulkAction } from '../../format/bulk/bulk-filter.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { useAllowed } from '../use-allowed.ts'
import { bulkTexts } from '../../texts/bulk.ts'
import { frameTexts } from '../../texts/frame.ts'

const loadDialog = async () => (await import('./start-bulk.tsx')).StartBulk

interface Props {
  readonly filter: ExecutionFilter
  /** The only action to offer, and what the button says. Default: all that fit. */
  readonly only?: readonly [action: BulkAction, label: string]
}

/** Offers one action on everything that a list has, also on what is not loaded, as far as the reader may do that. */
export function AllThatMatch({ filter, only }: Props) {
  const { may } = useAllowed()
  const [isAsking, setAsking] = useState(false)
  const actions = may('bulk:create') ? (only ? [only[0]] : actionsFor(filter)).filter(action => may(ITEM_ACTIONS[action])) : []
  if (actions.length === 0) return null
  const onClose = (): void => setAsking(false)
  return (
    <>
      {only
        ? <button type="button" className="button" onClick={() => setAsking(true)}>{only[1]}</button>
        : <button type="button" className="button button-small" title={bulkTexts.allThatMatchTitle} onClick={() => setAsking(true)}>
          {bulkTexts.allThatMatch}
        </button>}
      {isAsking && <Later
        load={loadDialog} given={{ filter, actions, onClose }}
        failed={<Dialog title={frameTexts.notLoaded} className="dialog-narrow" onClose={onClose}>
          <p>{frameTexts.dialogNotLoaded}</p>
        </Dialog>}
      />}
    </>
  )
}

/** The way to what was started before. */
export function BulkLink() {
  return useAllowed().may('bulk:view') ? <Link href="/bulk" className="button button-small">{bulkTexts.title}</Link> : null
}
