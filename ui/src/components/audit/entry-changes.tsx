import type { AuditEntry } from '../../../../schemas/index.ts'
import { compareValues } from '../../format/lists/compare-values.ts'
import { Differences } from '../elements/differences.tsx'
import { JsonView } from '../elements/json-view.tsx'
import { Fact, Part } from '../elements/part.tsx'
import { auditTexts } from '../../texts/audit.ts'

/** What a write changed: the fields that differ first, then those that stayed, then both states as they are. */
export function EntryChanges({ entry: { before, after, truncated } }: { entry: AuditEntry }) {
  const comparison = compareValues(before, after)
  return (
    <>
      {comparison
        ? <Part title={auditTexts.changes}>
          {comparison.changed.length === 0
            ? <p className="muted">{auditTexts.nothingDiffers}</p>
            : <Differences changes={comparison.changed} label={auditTexts.differences} names={auditTexts} />}
          {comparison.isCut && <p className="muted">{auditTexts.changesCut}</p>}
          {comparison.same.length > 0 &&
            <details className="more-details">
              <summary>{auditTexts.sameFields(comparison.same.length)}</summary>
              <dl className="facts same-fields">
                {comparison.same.map(({ path, value }) => (
                  <Fact key={path} name={<bdi className="wrap">{path}</bdi>}><code className="wrap"><bdi>{value}</bdi></code></Fact>
                ))}
              </dl>
            </details>}
          <Raw label={auditTexts.beforeAsJson} value={before} />
          <Raw label={auditTexts.afterAsJson} value={after} />
        </Part>
        : <>
          {isThere(before) && <Part title={auditTexts.wasDeleted}><JsonView value={before} label={auditTexts.wasDeleted} /></Part>}
          {isThere(after) && <Part title={auditTexts.answer}><JsonView value={after} label={auditTexts.answer} /></Part>}
        </>}
      {truncated.includes('/before') && <p className="muted">{auditTexts.notKept.before}</p>}
      {truncated.includes('/after') && <p className="muted">{auditTexts.notKept.after}</p>}
    </>
  )
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined
}

function Raw({ label, value }: { label: string; value: unknown }) {
  return <details className="more-details"><summary>{label}</summary><JsonView value={value} label={label} /></details>
}
