import { Link } from 'wouter'
import { PageLink } from '../elements/page-link.tsx'
import type { AuditEntry } from '../../../../schemas/index.ts'
import { entryOperation } from '../../format/audit/entry-operation.ts'
import { operationHref } from '../../format/bulk/bulk-state.ts'
import { auditHref } from '../../format/audit/audit-filter.ts'
import { executionAddress, groupAddress, scheduleAddress, taskAddress } from '../../format/audit/resource-addresses.ts'
import { Fact, Part } from '../elements/part.tsx'
import { Moment } from '../elements/moment.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { Actor } from './audit-table.tsx'
import { auditTexts } from '../../texts/audit.ts'

/** Who requested the write, from where, on what, and how the server responded. */
export function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { actor, address, action, resource, method, path, status, code, request_id: requestId, entry_id: entryId } = entry
  const { columns, filters } = auditTexts
  const operation = entryOperation(entry)
  return (
    <Part title={auditTexts.details}>
      <dl className="facts">
        <Fact name={columns.when}><Moment at={entry.at} as="exact" /></Fact>
        <Fact name={columns.who}>
          <span className="wrap"><Actor actor={actor} /></span>
          {actor !== null && <> <Link href={auditHref({ actor })} className="quiet-link">{auditTexts.allOfActor}</Link></>}
        </Fact>
        <Fact name={columns.address}>{address === null ? <Unknown reason={auditTexts.noAddress} /> : <bdi>{address}</bdi>}</Fact>
        <Fact name={filters.action}><code className="wrap">{action}</code></Fact>
        <Resource name={filters.task} value={resource.task_name} addressOf={taskAddress} parameter="task" />
        <Resource name={filters.schedule} value={resource.schedule_id} addressOf={scheduleAddress} parameter="schedule" />
        <Resource name={filters.execution} value={resource.execution_id} addressOf={executionAddress} parameter="execution" />
        {resource.error_group !== null &&
          <Fact name={auditTexts.failureGroup}>
            <PageLink href={groupAddress(resource.error_group)} className="wrap"><bdi>{resource.error_group}</bdi></PageLink>
          </Fact>}
        {operation !== null && <Fact name={auditTexts.operation}>
          <PageLink href={operationHref(operation)} className="wrap"><bdi>{operation}</bdi></PageLink>
        </Fact>}
        <Fact name={auditTexts.request}><code className="wrap">{method} <bdi>{path}</bdi></code></Fact>
        {status !== null && <Fact name={auditTexts.status}>{status}</Fact>}
        {code !== null && <Fact name={auditTexts.code}><code className="wrap">{code}</code></Fact>}
        <Fact name={auditTexts.requestId}><code className="wrap"><bdi>{requestId}</bdi></code></Fact>
        <Fact name={auditTexts.entry}><code className="wrap">{entryId}</code></Fact>
      </dl>
    </Part>
  )
}

interface ResourceProps {
  readonly name: string
  readonly value: string | null
  readonly addressOf: (value: string) => string
  /** The parameter of the audit page. */
  readonly parameter: string
}

function Resource({ name, value, addressOf, parameter }: ResourceProps) {
  if (value === null) return null
  return (
    <Fact name={name}>
      <PageLink href={addressOf(value)} className="wrap"><bdi>{value}</bdi></PageLink>{' '}
      <Link href={auditHref({ [parameter]: value })} className="quiet-link">{auditTexts.allOfIt}</Link>
    </Fact>
  )
}
