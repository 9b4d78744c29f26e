import { useMemo } from 'react'
import { Link } from 'wouter'
import { PageLink } from '../elements/page-link.tsx'
import type { AuditEntry } from '../../../../schemas/index.ts'
import { actionWord, outcomeMark } from '../../format/audit/audit-words.ts'
import { entryOperation } from '../../format/audit/entry-operation.ts'
import { operationHref } from '../../format/bulk/bulk-state.ts'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { DataGrid } from '../grid/data-grid.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { executionAddress, groupAddress, scheduleAddress, taskAddress } from '../../format/audit/resource-addresses.ts'
import { auditTexts } from '../../texts/audit.ts'

interface Props {
  readonly entries: readonly AuditEntry[]
  /** How many there are in all; null while that is not known. */
  readonly total: number | null
  readonly openId: string | null
  readonly href: (entryId: string) => string
  readonly onEnd: () => void
  readonly onHold: (isHeld: boolean) => void
}

const HEIGHTS = { comfortable: 53, compact: 44, phone: 62 }

export function AuditTable({ entries, total, openId, href, onEnd, onHold }: Props) {
  const columns = useMemo(() => columnsOf(href, openId), [href, openId])
  return <DataGrid
    name="audit" label={auditTexts.title} columns={columns} rows={entries} total={total} keyOf={keyOf} openKey={openId} heights={HEIGHTS}
    onEnd={onEnd} onHold={onHold}
  />
}

function keyOf({ entry_id: id }: AuditEntry): string {
  return id
}

function columnsOf(href: Props['href'], openId: string | null): ReadonlyArray<GridColumn<AuditEntry>> {
  const { columns } = auditTexts
  return [
    { id: 'when', name: columns.when, minPx: 104, isFixed: true, phone: '2 end', cell: ({ at }) => <Moment at={at} /> },
    {
      id: 'what', name: columns.what, minPx: 140, grow: 1, isFixed: true, phone: '1', className: 'two-lines',
      cell: entry => <WhatCell entry={entry} href={href(entry.entry_id)} isOpen={entry.entry_id === openId} />
    },
    {
      id: 'on', name: columns.on, minPx: 150, grow: 1.4, phone: '2', className: 'two-lines', cell: entry => <ResourceCell entry={entry} />
    },
    { id: 'who', name: columns.who, minPx: 90, grow: 0.8, phone: '2', cell: ({ actor }) => <Actor actor={actor} /> },
    {
      id: 'outcome', name: columns.outcome, minPx: 120, isWarning: true, phone: '1 end', className: 'two-lines',
      cell: entry => <OutcomeCell entry={entry} />
    },
    {
      id: 'reason', name: columns.reason, minPx: 120, grow: 1.4, givesWay: 1,
      cell: ({ reason }) => reason !== null && <bdi title={reason}>{reason}</bdi>
    },
    {
      id: 'address', name: columns.address, minPx: 104, givesWay: 2,
      cell: ({ address }) => (address === null ? <Unknown reason={auditTexts.noAddress} /> : <bdi title={address}>{address}</bdi>)
    }
  ]
}

export function Actor({ actor }: { actor: string | null }) {
  return actor === null ? <Unknown reason={auditTexts.nobody} /> : <bdi title={actor}>{actor}</bdi>
}

function WhatCell({ entry, href, isOpen }: { entry: AuditEntry; href: string; isOpen: boolean }) {
  return (
    <>
      <Link
        href={href} className="row-link" data-row-link={entry.entry_id} data-opened={isOpen || undefined}
        aria-current={isOpen ? 'true' : undefined}
      >
        {actionWord(entry.action)}
      </Link>
      {entry.not_listed !== null && entry.not_listed > 0 &&
        <span className="tone-warn" title={auditTexts.notListed(entry.not_listed)}>
          {auditTexts.notListedInShort(entry.not_listed)}
        </span>}
    </>
  )
}

/** One link per row besides the row's own: two would be too close together. The panel has all of them. */
function ResourceCell({ entry }: { entry: AuditEntry }) {
  const { resource } = entry
  const operation = entryOperation(entry)
  const { task_name: task, schedule_id: schedule, execution_id: execution, error_group: group } = resource
  const link = operation !== null
    ? { href: operationHref(operation), words: auditTexts.operation }
    : schedule !== null
      ? { href: scheduleAddress(schedule), words: auditTexts.schedule(schedule) }
      : execution !== null
        ? { href: executionAddress(execution), words: auditTexts.execution(execution) }
        : group !== null
          ? { href: groupAddress(group), words: auditTexts.group(group) }
          : task !== null ? { href: taskAddress(task), words: task } : null
  if (link === null) return null
  const drawn = <PageLink href={link.href} className="quiet-link above" title={link.words}><bdi>{link.words}</bdi></PageLink>
  if (task === null || link.words === task) return <span>{drawn}</span>
  return <><span title={task}><bdi>{task}</bdi></span><span className="muted"><span className="wide-word">{drawn}</span></span></>
}

function OutcomeCell({ entry: { outcome, code } }: { entry: AuditEntry }) {
  return (
    <>
      <span><StatusMark {...outcomeMark(outcome)} /></span>
      {code !== null && <span className="muted"><span className="wide-word" title={code}>{code}</span></span>}
    </>
  )
}
