import type { ComponentProps } from 'react'
import { BulkFacts } from '../../src/components/bulk/bulk-facts.tsx'
import { BulkForm } from '../../src/components/bulk/bulk-form.tsx'
import { BulkItemsTable } from '../../src/components/bulk/bulk-items-table.tsx'
import { BulkMatches } from '../../src/components/bulk/bulk-matches.tsx'
import { BulkProgress } from '../../src/components/bulk/bulk-progress.tsx'
import { BulkTable } from '../../src/components/bulk/bulk-table.tsx'
import { BulkVerbDialog } from '../../src/components/bulk/bulk-verb-dialog.tsx'
import { OutcomeFilter } from '../../src/components/bulk/outcome-filter.tsx'
import { bulkPreview, hostileOperation, items, operation, operations } from '../samples/bulk.ts'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { nothing, nowhere, type Stories } from './story.ts'

const reason = { text: '', onChange: nothing, isRequired: false }
const form: ComponentProps<typeof BulkForm> = {
  question: 'Act on all that match', actions: ['retry', 'delete'], action: 'retry', onAction: nothing, filter: 'failed, billing:charge',
  rate: '',
  onRate: nothing, reason, canConfirm: true, isBusy: false, confirmLabel: 'Start', refusal: null, onConfirm: nothing, onClose: nothing,
  children: <BulkMatches preview={bulkPreview} failure={null} selected={null} />
}
const verb = { reason, isReady: true, refusal: null, onConfirm: nothing, onClose: nothing }

export const bulkStories: Stories = {
  'Bulk operations': [
    {
      state: 'ready', words: 'one in each state',
      show: () => <BulkTable operations={operations} total={operations.length} onEnd={nothing} />
    },
    { state: 'hostile', show: () => <BulkTable operations={[hostileOperation]} total={1} onEnd={nothing} /> }
  ],
  'Progress of an operation': [
    { state: 'ready', show: () => <BulkProgress operation={operation} /> },
    {
      state: 'loading', words: 'nothing is done yet',
      show: () => <BulkProgress operation={{ ...operation, progress: { items: 0, done: 0, skipped: 0, failed: 0, undone: 0 } }} />
    },
    { state: 'partial', words: 'being undone', show: () => <BulkProgress operation={operations[5]!} /> },
    { state: 'stale', words: 'undone', show: () => <BulkProgress operation={operations[6]!} /> },
    {
      state: 'huge', words: 'the count is a lower bound',
      show: () => <BulkProgress operation={{ ...operation, count: { value: 1_000_000, relation: 'at_least' } }} />
    }
  ],
  'Facts of an operation': [
    { state: 'ready', show: () => <BulkFacts operation={operation} /> },
    { state: 'empty', words: 'of a newer version', show: () => <BulkFacts operation={operations[7]!} /> },
    { state: 'hostile', show: () => <BulkFacts operation={hostileOperation} /> }
  ],
  'Items of an operation': [
    { state: 'ready', words: 'one of each outcome', show: () => <BulkItemsTable items={items} total={items.length} onEnd={nothing} /> },
    { state: 'partial', words: 'by outcome', show: () => <OutcomeFilter current="failed" progress={operation.progress!} href={nowhere} /> }
  ],
  'What a bulk operation would do': [
    { state: 'loading', show: () => <BulkMatches preview={undefined} failure={null} selected={null} /> },
    { state: 'ready', show: () => <BulkMatches preview={bulkPreview} failure={null} selected={null} /> },
    {
      state: 'empty', show: () => <BulkMatches
        preview={{ ...bulkPreview, count: { value: 0, relation: 'exact' }, sample: [] }} failure={null} selected={null}
      />
    },
    {
      state: 'partial', words: 'some are left out',
      show: () => <BulkMatches preview={{ ...bulkPreview, tasks_left_out: 2, executions_left_out: 12 }} failure={null} selected={20} />
    },
    { state: 'error', show: () => <BulkMatches preview={undefined} failure={HOSTILE} selected={null} /> }
  ],
  'To start a bulk operation': [
    { state: 'ready', show: () => <BulkForm {...form} /> },
    { state: 'loading', show: () => <BulkForm {...form} isBusy /> },
    { state: 'error', show: () => <BulkForm {...form} refusal="Nothing matches any more" canConfirm={false} /> },
    { state: 'hostile', show: () => <BulkForm {...form} filter={HOSTILE + LONG} refusal={LONG} reason={{ ...reason, text: HOSTILE }} /> }
  ],
  'To change a bulk operation': [
    { state: 'ready', show: () => <BulkVerbDialog {...verb} verb="abort" /> },
    { state: 'partial', words: 'to undo', show: () => <BulkVerbDialog {...verb} verb="undo" /> },
    { state: 'error', show: () => <BulkVerbDialog {...verb} verb="suspend" refusal={LONG} isReady={false} /> }
  ]
}
