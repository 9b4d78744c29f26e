import type { ArgumentsCompared } from '../../format/executions/compare-arguments.ts'
import { plural } from '../../format/stats/number.ts'

/** Where arguments differ first: that is where the cause may be. */
export function ArgumentsTable({ compared: { compared, common, different, isCut } }: { compared: ArgumentsCompared }) {
  return (
    <div className="figures-table arguments-table" tabIndex={0} role="region" aria-label="Arguments compared">
      <table>
        <thead><tr><th scope="col">Argument</th><th scope="col">Value</th></tr></thead>
        <tbody>
          {different.map(({ path, values, others }) => (
            <tr key={path}>
              <th scope="row"><code><bdi>{path}</bdi></code></th>
              <td>
                {values.map(({ value, count }) =>
                  <div key={value ?? ''}>
                    {value === undefined ? <i>not there</i> : <code><bdi>{value}</bdi></code>}{' '}
                    <span className="muted">{count} of {compared}</span>
                  </div>)}
                {others > 0 && <span className="muted">and {plural(others, 'other value')}</span>}
              </td>
            </tr>
          ))}
          {common.map(({ path, value }) => (
            <tr key={path}>
              <th scope="row"><code><bdi>{path}</bdi></code></th>
              <td><code><bdi>{value}</bdi></code> <span className="muted">{compared > 1 ? 'in all' : ''}</span></td>
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className="muted">There are more values than are compared here.</p>}
    </div>
  )
}
