import type { ArgumentsCompared } from '../../format/executions/compare-arguments.ts'
import { executionTexts } from '../../texts/executions.ts'

/** Arguments that differ come first, because the cause may be there. */
export function ArgumentsTable({ compared: { compared, common, different, isCut } }: { compared: ArgumentsCompared }) {
  return (
    <div className="figures-table arguments-table" tabIndex={0} role="region" aria-label={executionTexts.argumentsCompared}>
      <table>
        <thead><tr><th scope="col">{executionTexts.argument}</th><th scope="col">{executionTexts.value}</th></tr></thead>
        <tbody>
          {different.map(({ path, values, others }) => (
            <tr key={path}>
              <th scope="row"><code><bdi>{path}</bdi></code></th>
              <td>
                {values.map(({ value, count }) =>
                  <div key={value ?? ''}>
                    {value === undefined ? <i>{executionTexts.notThere}</i> : <code><bdi>{value}</bdi></code>}{' '}
                    <span className="muted">{executionTexts.countOf(count, compared)}</span>
                  </div>)}
                {others > 0 && <span className="muted">{executionTexts.andOtherValues(others)}</span>}
              </td>
            </tr>
          ))}
          {common.map(({ path, value }) => (
            <tr key={path}>
              <th scope="row"><code><bdi>{path}</bdi></code></th>
              <td><code><bdi>{value}</bdi></code> <span className="muted">{compared > 1 ? executionTexts.inAll : ''}</span></td>
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className="muted">{executionTexts.moreValues}</p>}
    </div>
  )
}
