import type { BulkItem, BulkOperation } from '../../../schemas/index.ts'
import { BulkFacts } from '../../src/components/bulk/bulk-facts.tsx'
import { BulkForm } from '../../src/components/bulk/bulk-form.tsx'
import { BulkItemsTable } from '../../src/components/bulk/bulk-items-table.tsx'
import { BulkMatches } from '../../src/components/bulk/bulk-matches.tsx'
import { BulkProgress } from '../../src/components/bulk/bulk-progress.tsx'
import { BulkTable } from '../../src/components/bulk/bulk-table.tsx'
import { BulkVerbDialog } from '../../src/components/bulk/bulk-verb-dialog.tsx'
import { OutcomeFilter } from '../../src/components/bulk/outcome-filter.tsx'
import {
  bulkPreview, cappedPreview, finishedOperation, hostileItem, hostileOperation, items, longOperation, operation, operations,
  unknownOperation,
  waitingOperation
} from '../samples/bulk.ts'
import { HOSTILE, LONG } from '../samples/texts.ts'
import { href, nothing, type Stories } from '../story.ts'
import { reason } from './reason.ts'

const verb = { isReady: true, refusal: null, onConfirm: nothing, onClose: nothing }

export const bulkStories: Stories = {
  'bulk/bulk-facts': each(of => <BulkFacts operation={of} />),
  'bulk/bulk-form': [
    { state: 'ready', show: () => form({}) },
    { state: 'loading', words: 'it is being started', show: () => form({ isBusy: true }) },
    { state: 'forbidden', words: 'a reason is missing', show: () => form({ canConfirm: false }) },
    { state: 'error', show: () => form({ refusal: 'The broker cannot be reached', rate: 'x' }) },
    { state: 'huge', show: () => form({ filter: LONG, question: LONG, refusal: LONG }) },
    { state: 'hostile', show: () => form({ filter: HOSTILE, question: HOSTILE, confirmLabel: HOSTILE, refusal: HOSTILE }) }
  ],
  'bulk/bulk-items-table': [
    { state: 'ready', show: () => itemTable(items) },
    { state: 'empty', show: () => itemTable([]) },
    { state: 'huge', show: () => itemTable([{ ...hostileItem, task_name: LONG, execution_id: LONG, code: LONG,
      made_execution_id: LONG }]) },
    { state: 'hostile', show: () => itemTable([hostileItem]) }
  ],
  'bulk/bulk-matches': [
    { state: 'loading', show: () => <BulkMatches preview={undefined} failure={null} selected={null} /> },
    { state: 'ready', show: () => <BulkMatches preview={bulkPreview} failure={null} selected={null} /> },
    {
      state: 'partial', words: 'of those that are selected',
      show: () => <BulkMatches preview={bulkPreview} failure={null} selected={1_210} />
    },
    {
      state: 'empty', show: () => <BulkMatches
        preview={{ ...bulkPreview, count: { value: 0, relation: 'exact' }, sample: [] }} failure={null} selected={null}
      />
    },
    { state: 'error', show: () => <BulkMatches preview={undefined} failure="The broker cannot be reached" selected={null} /> },
    { state: 'huge', words: 'more than one operation may have, and hostile',
      show: () => <BulkMatches preview={cappedPreview} failure={null} selected={null} /> },
    { state: 'hostile', show: () => <BulkMatches preview={undefined} failure={HOSTILE} selected={3} /> }
  ],
  'bulk/bulk-progress': [
    { state: 'ready', show: () => <BulkProgress operation={operation} /> },
    { state: 'empty', words: 'done', show: () => <BulkProgress operation={finishedOperation} /> },
    { state: 'unknown', show: () => <BulkProgress operation={unknownOperation} /> },
    { state: 'huge', show: () => <BulkProgress operation={longOperation} /> }
  ],
  'bulk/bulk-table': [
    { state: 'ready', show: () => <BulkTable operations={operations} total={operations.length} onEnd={nothing} /> },
    { state: 'empty', show: () => <BulkTable operations={[]} total={0} onEnd={nothing} /> },
    { state: 'huge', show: () => <BulkTable operations={[longOperation]} total={1} onEnd={nothing} /> },
    { state: 'hostile', show: () => <BulkTable operations={[hostileOperation]} total={1} onEnd={nothing} /> }
  ],
  'bulk/bulk-verb-dialog': [
    ...(['suspend', 'resume', 'abort', 'undo'] as const).map(name => (
      { state: 'ready', words: name, show: () => <BulkVerbDialog {...verb} verb={name} reason={reason('', false)} /> } as const
    )),
    {
      state: 'error',
      show: () => <BulkVerbDialog {...verb} verb="abort" reason={reason('')} refusal="It is over already" isReady={false} />
    },
    { state: 'hostile', show: () => <BulkVerbDialog {...verb} verb="undo" reason={reason(HOSTILE)} refusal={HOSTILE} /> }
  ],
  'bulk/outcome-filter': [
    { state: 'ready', show: () => <OutcomeFilter current={null} progress={operation.progress!} href={href} /> },
    { state: 'empty', show: () => <OutcomeFilter current="done" progress={{ done: 0, failed: 0, undone: 0, items: 0,
      skipped: 0 }} href={href} /> },
    { state: 'huge', show: () => <OutcomeFilter current="failed" progress={longOperation.progress!} href={href} /> }
  ]
}

function each(show: (of: BulkOperation) => ReturnType<typeof form>): Stories[string] {
  return [
    { state: 'ready', show: () => show(operation) }, { state: 'empty', words: 'done', show: () => show(finishedOperation) },
    { state: 'partial', words: 'it waits', show: () => show(waitingOperation) },
    { state: 'unknown', words: 'of another version', show: () => show(unknownOperation) },
    { state: 'huge', show: () => show(longOperation) }, { state: 'hostile', show: () => show(hostileOperation) }
  ]
}

function form(change: Partial<Parameters<typeof BulkForm>[0]>) {
  return <BulkForm
    question="Retry all that match?" actions={['retry', 'cancel', 'delete']} action="retry" onAction={nothing} filter="status:failed"
    rate="50" onRate={nothing} reason={reason('')} canConfirm isBusy={false} confirmLabel="Retry 1,204" refusal={null}
    onConfirm={nothing} onClose={nothing} {...change}
  >
    <BulkMatches preview={bulkPreview} failure={null} selected={null} />
  </BulkForm>
}

function itemTable(rows: readonly BulkItem[]) {
  return <BulkItemsTable items={rows} total={rows.length} onEnd={nothing} />
}
