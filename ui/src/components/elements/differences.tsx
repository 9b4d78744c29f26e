import type { Change } from '../../format/lists/compare-values.ts'

interface Names {
  readonly field: string
  readonly before: string
  readonly after: string
  /** Shown in place of a value that one side does not have. */
  readonly notThere: string
}

/** The fields in which two values differ, side by side. */
export function Differences({ changes, label, names }: { changes: readonly Change[]; label: string; names: Names }) {
  return (
    <div className="changes" role="table" aria-label={label}>
      <div role="row" className="changes-row changes-head">
        {[names.field, names.before, names.after].map(name => <span key={name} role="columnheader">{name}</span>)}
      </div>
      {changes.map(({ path, before, after }) => (
        <div key={path} role="row" className="changes-row">
          <span role="rowheader" className="wrap"><bdi>{path}</bdi></span>
          <span role="cell" className="wrap changes-before" data-label={names.before}><Value text={before} names={names} /></span>
          <span role="cell" className="wrap changes-after" data-label={names.after}><Value text={after} names={names} /></span>
        </div>
      ))}
    </div>
  )
}

function Value({ text, names }: { text: string | undefined; names: Names }) {
  return text === undefined ? <span className="muted">{names.notThere}</span> : <code><bdi>{text}</bdi></code>
}
