import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const COMPONENTS = 'ui/src/components'
const STORIES = 'ui/gallery/stories'

/** Components without a story of their own, and where they are shown. */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  'elements/later.tsx': 'it loads another component',
  'executions/execution-columns.tsx': 'in the list of executions',
  'executions/select-column.tsx': 'in the list of executions, with a selection',
  'frame/notices.tsx': 'what was notified while the page is open',
  'grid/brief-grid.tsx': 'in the failure groups',
  'grid/data-grid.tsx': 'in each table',
  'grid/grid-menu.tsx': 'in each table',
  'grid/grid-row.tsx': 'in each table',
  'grid/grid.tsx': 'in each table',
  'grid/passing-rows.tsx': 'only while a list scrolls fast',
  'grid/virtual-rows.tsx': 'in each table',
  'stats/time-chart.tsx': 'in the charts'
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter(name => name.endsWith('.tsx')).map(name => name.replaceAll('\\', '/'))
}

t.test('the gallery shows each component', async t => {
  const stories = filesIn(STORIES).map(name => readFileSync(join(STORIES, name), 'utf8')).join('\n')
  const shown = new Set([...stories.matchAll(/'\.\.\/\.\.\/src\/components\/([^']+)'/g)].map(([, name]) => name))
  const components = filesIn(COMPONENTS)
  t.ok(components.length > 90, `${components.length} components`)
  const without = components.filter(name => !shown.has(name))
  t.strictSame(without.sort(), Object.keys(SHOWN_ELSEWHERE).sort(), 'those without a story in ui/gallery/stories are shown elsewhere')
})
