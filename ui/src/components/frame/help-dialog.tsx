import { ROUTES } from '../../format/places/routes.ts'
import { usePreference, writePreference } from '../../hooks/use-preference.ts'
import { Dialog } from '../elements/dialog.tsx'

const KEYS: ReadonlyArray<readonly [keys: string[], what: string]> = [
  [['Ctrl K', '⌘ K'], 'Find a page, task, schedule or execution'],
  [['/'], 'Search or filter this page'],
  [['j', 'k'], 'Next and previous row; an open panel follows'],
  [['Enter'], 'Open the row; again, go into its panel'],
  [['Esc'], 'Close what is open'],
  ...ROUTES.flatMap(({ key, title }): Array<readonly [string[], string]> => (key === null ? [] : [[[`g ${key}`], `Go to ${title}`]])),
  [['p'], 'Pause and resume updates'],
  [['?'], 'This list']
]

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const isOff = usePreference('single-keys') === 'off'
  return (
    <Dialog title="Keyboard shortcuts" className="dialog-narrow" onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([keys, what]) => <div key={what}><dt>{keys.map(key => <kbd key={key}>{key}</kbd>)}</dt><dd>{what}</dd></div>)}
      </dl>
      <label className="check">
        <input
          type="checkbox" checked={!isOff} onChange={event => writePreference('single-keys', event.currentTarget.checked ? 'on' : 'off')}
        />
        Single keys without Ctrl or ⌘
      </label>
    </Dialog>
  )
}
