import type { SearchCompletions } from '../../../schemas/index.ts'
import { Palette } from '../../src/components/search/palette.tsx'
import { SearchBox } from '../../src/components/search/search-box.tsx'
import { SearchField } from '../../src/components/search/search-field.tsx'
import { HOSTILE, UNBROKEN } from '../samples/texts.ts'
import { nothing, type Stories } from '../story.ts'

const box = { completions: undefined, fault: null, onType: nothing, onSearch: nothing }
const items: SearchCompletions['items'] = [
  { text: 'task:', description: 'The name of the task' }, { text: HOSTILE, description: HOSTILE }, { text: UNBROKEN, description: UNBROKEN }
]

export const searchStories: Stories = {
  'search/palette': [
    { state: 'loading', show: () => palette([], 'Loading') },
    { state: 'ready', show: () => palette(['reports:daily', 'billing:charge']) },
    { state: 'empty', show: () => palette([]) },
    { state: 'partial', words: 'there are more', show: () => palette(['reports:daily'], null, true) },
    { state: 'error', show: () => palette(['Overview'], 'Tasks could not be loaded') },
    { state: 'huge', show: () => palette([UNBROKEN]) },
    { state: 'hostile', show: () => palette([HOSTILE]) }
  ],
  'search/search-box': [
    { state: 'empty', show: () => <SearchBox {...box} value="" /> },
    { state: 'ready', show: () => <SearchBox {...box} value="status:failed" /> },
    {
      state: 'partial', words: 'type, to see completions',
      show: () => <SearchBox {...box} value="s" completions={{ from: 0, to: 1, items }} />
    },
    { state: 'error', show: () => <SearchBox {...box} value="status:" fault={{ position: 7, message: 'A value is missing' }} /> },
    { state: 'huge', show: () => <SearchBox {...box} value={UNBROKEN} fault={{ position: 0, message: UNBROKEN }} /> },
    { state: 'hostile', show: () => <SearchBox {...box} value={HOSTILE} fault={{ position: 0, message: HOSTILE }} /> }
  ],
  'search/search-field': [
    { state: 'empty', show: () => <SearchField label="Search tasks" value="" onChange={nothing} /> },
    { state: 'ready', show: () => <SearchField label="Search tasks" value="billing" onChange={nothing} /> },
    { state: 'hostile', show: () => <SearchField label={HOSTILE} value={HOSTILE} onChange={nothing} /> }
  ]
}

function palette(names: readonly string[], missing: string | null = null, isCut = false) {
  const destinations = names.map(name => ({ kind: 'Task', name, href: `/tasks/${name}` }))
  return <Palette destinations={destinations} isCut={isCut} missing={missing} onSearch={nothing} onGo={nothing} onClose={nothing} />
}
