import { Palette } from '../../src/components/search/palette.tsx'
import { SearchBox } from '../../src/components/search/search-box.tsx'
import { SearchField } from '../../src/components/search/search-field.tsx'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { nothing, type Stories } from './story.ts'

const palette = { isCut: false, missing: null, onSearch: nothing, onGo: nothing, onClose: nothing }
const box = { completions: undefined, fault: null, onType: nothing, onSearch: nothing }

export const searchStories: Stories = {
  Palette: [
    {
      state: 'ready', show: () => <Palette
        {...palette} destinations={[{ kind: 'Task', name: 'billing:charge', href: '#' }, { kind: 'Page', name: 'Failures', href: '#' }]}
      />
    },
    { state: 'empty', show: () => <Palette {...palette} destinations={[]} /> },
    { state: 'partial', show: () => <Palette {...palette} destinations={[]} isCut missing="Tasks could not be loaded" /> },
    { state: 'hostile', show: () => <Palette {...palette} destinations={[{ kind: HOSTILE, name: LONG, href: '#' }]} /> }
  ],
  'Search of the history': [
    { state: 'empty', show: () => <SearchBox {...box} value="" /> },
    { state: 'ready', show: () => <SearchBox {...box} value="took:>5s timeout" /> },
    {
      state: 'error',
      show: () => <SearchBox {...box} value="took:soon" fault={{ position: 5, message: 'A duration is written as 500ms, 5s or 2m' }} />
    },
    { state: 'hostile', show: () => <SearchBox {...box} value={HOSTILE + LONG} /> }
  ],
  'Search in a list': [{ state: 'ready', show: () => <SearchField label="Search" value="billing" onChange={nothing} /> }]
}
